import { Trans, useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { accountQuery } from '../../api/account.ts';
import type { components } from '../../api/schema.d.ts';
import { DescriptionList } from '../../components/description-list.tsx';
import { LocalMoment } from '../../components/moment.tsx';
import { Notice } from '../../components/notice.tsx';
import { OverageText } from '../../components/overage-text.tsx';
import { Page } from '../../components/page.tsx';
import { ProgressBar } from '../../components/progress-bar.tsx';
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
        {({ plan, usage, storage, overage, backup }) => (
          <>
            {plan.state !== 'active' && (
              <Notice tone="warn">
                <Trans>
                  Your plan has lapsed. Feeds stay public, but API keys and connected sites are
                  paused.
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
                  [t`Downloads per month`, limit(plan.monthly_downloads)],
                  [t`API keys`, plan.api ? t`included` : t`not included`],
                  ...(plan.api
                    ? [[t`Requests per minute`, limit(plan.requests_per_minute)] as const]
                    : []),
                  [t`Days of statistics`, limit(plan.analytics_history_days)],
                  [
                    t`Storage`,
                    storage.included_bytes === null
                      ? t`no limit`
                      : formatBytes(storage.included_bytes),
                  ],
                ]}
              />
            </Section>
            <Section
              title={t`Usage`}
              about={<Trans>Downloads are counted from the first of each month.</Trans>}
            >
              <DescriptionList
                of={[
                  [t`Downloads this month`, formatNumber(usage.downloads)],
                  [t`Shows`, formatNumber(usage.shows)],
                  [t`Episodes`, formatNumber(usage.episodes)],
                ]}
              />
            </Section>
            <StorageUse storage={storage} />
            <DataCopy title={t`Your data`} />
            {backup !== null && <LastBackup backup={backup} />}
          </>
        )}
      </QueryView>
    </Page>
  );
}

type BackupFacts = NonNullable<components['schemas']['AccountOverview']['backup']>;

/** For the operator of the installation. */
function LastBackup({ backup }: { readonly backup: BackupFacts }) {
  const { t } = useLingui();
  const made = backup.made_at === null ? t`never` : <LocalMoment of={backup.made_at} />;
  return (
    <Section
      title={t`Backups of this installation`}
      about={<Trans>You see this because you operate this service.</Trans>}
    >
      {backup.is_overdue && (
        <Notice tone="bad">
          <Trans>
            One should be made every day, but each attempt has failed for two days. The log of the
            service says why.
          </Trans>
        </Notice>
      )}
      <DescriptionList of={[[t`Last backup`, made]]} />
    </Section>
  );
}

type StorageFacts = components['schemas']['AccountOverview']['storage'];

/** How much of the storage is used, and by what. */
function StorageUse({ storage }: { readonly storage: StorageFacts }) {
  const { t } = useLingui();
  const { used_bytes: usedBytes, included_bytes: includedBytes, upload_bytes: uploads } = storage;
  const used = formatBytes(usedBytes);
  const included = includedBytes === null ? undefined : formatBytes(includedBytes);
  return (
    <Section
      title={t`Storage`}
      about={
        <Trans>
          Audio and pictures of all your shows. Smaller versions don’t count, and neither do deleted
          files, which we keep for a day for backups.
        </Trans>
      }
    >
      {storage.is_near && (
        <Notice tone="warn">
          <Trans>
            Your storage is almost full. Once it’s full, you can’t add new files, but nothing is
            removed. Delete files you no longer need, or ask the operator of this service for a
            larger plan.
          </Trans>
        </Notice>
      )}
      <p>
        {included === undefined ? (
          <Trans>{used} used, no limit.</Trans>
        ) : (
          <Trans>
            {used} of {included} used.
          </Trans>
        )}
      </p>
      {includedBytes !== null && (
        <ProgressBar label={t`Storage used`} done={usedBytes} total={includedBytes} />
      )}
      <DescriptionList
        of={[
          [t`Audio`, formatBytes(storage.audio_bytes)],
          [t`Pictures`, formatBytes(storage.image_bytes)],
          [t`Unfinished uploads`, uploads > 0 && formatBytes(uploads)],
        ]}
      />
    </Section>
  );
}
