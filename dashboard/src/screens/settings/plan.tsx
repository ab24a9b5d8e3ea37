import { Trans, useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { accountQuery } from '../../api/account.ts';
import { DescriptionList } from '../../components/description-list.tsx';
import { Notice } from '../../components/notice.tsx';
import { OverageText } from '../../components/overage-text.tsx';
import { Page } from '../../components/page.tsx';
import { QueryView } from '../../components/query-view.tsx';
import { Section } from '../../components/section.tsx';
import { formatBytes, formatNumber } from '../../lib/format.ts';
import { DataCopy } from './data-copy.tsx';

/** The limits and the usage of the account, and a copy of all of its data. */
export function Plan() {
  const { t } = useLingui();
  const account = useQuery(accountQuery);
  const limit = (value: number | null) => (value === null ? t`no limit` : formatNumber(value));
  return (
    <Page title={t`Plan`}>
      <QueryView query={account}>
        {({ plan, usage, overage }) => (
          <>
            {plan.state !== 'active' && (
              <Notice tone="warn">
                <Trans>
                  Your plan has lapsed. Feeds stay public; keys and connected sites wait.
                </Trans>
              </Notice>
            )}
            {overage !== null && (
              <Notice tone={overage.kind === 'downloads_exceeded' ? 'bad' : 'warn'}>
                <OverageText overage={overage} />
              </Notice>
            )}
            <Section title={plan.name} about={<Trans>What your plan includes.</Trans>}>
              <DescriptionList
                of={[
                  [t`Downloads a month`, limit(plan.monthly_downloads)],
                  [t`API keys`, plan.api ? t`included` : t`not included`],
                  ...(plan.api
                    ? [[t`Requests a minute`, limit(plan.requests_per_minute)] as const]
                    : []),
                  [t`Days of statistics`, limit(plan.analytics_history_days)],
                ]}
              />
            </Section>
            <Section
              title={t`Used`}
              about={<Trans>Downloads count from the first of a month.</Trans>}
            >
              <DescriptionList
                of={[
                  [t`Downloads this month`, formatNumber(usage.downloads)],
                  [t`Shows`, formatNumber(usage.shows)],
                  [t`Episodes`, formatNumber(usage.episodes)],
                  [t`Audio`, formatBytes(usage.audio_bytes)],
                  [t`Pictures`, formatBytes(usage.image_bytes)],
                ]}
              />
            </Section>
            <DataCopy title={t`Your data`} />
          </>
        )}
      </QueryView>
    </Page>
  );
}
