import { Trans, useLingui } from '@lingui/react/macro';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useEffect } from 'react';
import {
  checkDomain,
  domainQuery,
  type ExpectedRecords,
  type OwnDomain,
} from '../../../api/domain.ts';
import { type ShowSettings, showQuery } from '../../../api/show-settings.ts';
import { Badge } from '../../../components/badge.tsx';
import { Button } from '../../../components/button.tsx';
import { DescriptionList } from '../../../components/description-list.tsx';
import { FailureText } from '../../../components/failure-text.tsx';
import { LocalMoment } from '../../../components/moment.tsx';
import { Notice } from '../../../components/notice.tsx';
import { Section } from '../../../components/section.tsx';
import { asCode, cnameTarget } from './domain-records.tsx';

/** While someone waits for their records, they are checked so often. The server checks them hourly. */
const checkAgainMs = 60_000;

interface Props {
  readonly show: ShowSettings;
  readonly domain: OwnDomain;
  readonly expected: ExpectedRecords;
}

/** Whether the domain works, and what the last check saw. */
export function DomainState({ show, domain, expected }: Props) {
  const { t } = useLingui();
  const { host, state } = domain;
  const check = useCheck(show.id, state !== 'verified');
  const names = { waiting: t`Waiting`, verified: t`Works`, lost: t`Lost` };
  const tones = { waiting: 'info', verified: 'good', lost: 'bad' } as const;
  return (
    <Section
      title={host}
      about={
        state === 'verified' ? undefined : (
          <Trans>
            New records usually work within minutes, sometimes only after a day. While this page is
            open, they’re checked every minute, otherwise every hour.
          </Trans>
        )
      }
    >
      <p>
        <Badge tone={tones[state]}>{names[state]}</Badge>
      </p>
      <StateNotice domain={domain} />
      <UnansweredNotice domain={domain} />
      {state !== 'verified' && <Findings domain={domain} expected={expected} />}
      {check.error !== null && (
        <Notice tone="bad">
          <FailureText error={check.error} />
        </Notice>
      )}
      <p>
        <Button isPending={check.isPending} onPress={() => check.mutate()}>{t`Check now`}</Button>
      </p>
      {domain.checked_at !== null && (
        <p className="meta">
          <Trans>
            Last checked: <LocalMoment of={domain.checked_at} />
          </Trans>
        </p>
      )}
    </Section>
  );
}

function useCheck(showId: string, isWaiting: boolean) {
  const queries = useQueryClient();
  const check = useMutation({
    mutationFn: () => checkDomain(showId),
    onSuccess(checked) {
      queries.setQueryData(domainQuery(showId).queryKey, checked);
      void queries.invalidateQueries({ queryKey: showQuery(showId).queryKey, exact: true });
    },
  });
  const { mutate } = check;
  useEffect(() => {
    if (!isWaiting) return undefined;
    const timer = setInterval(() => {
      if (document.visibilityState === 'visible') mutate();
    }, checkAgainMs);
    return () => clearInterval(timer);
  }, [isWaiting, mutate]);
  return check;
}

function UnansweredNotice({ domain }: { readonly domain: OwnDomain }) {
  const { checked_at: checkedAt, tried_at: triedAt } = domain;
  if (triedAt === null || triedAt === checkedAt) return null;
  return (
    <Notice tone="info">
      <Trans>The name servers didn’t respond, so nothing changed. We’ll try again.</Trans>
    </Notice>
  );
}

function StateNotice({ domain }: { readonly domain: OwnDomain }) {
  const { state, url, host, taken } = domain;
  if (taken) {
    return (
      <Notice tone="warn">
        <Trans>
          Your records are right, but another show uses this domain, or did until a few days ago.
          Remove it there first, or wait up to 7 days.
        </Trans>
      </Notice>
    );
  }
  if (state === 'verified') {
    return (
      <Notice tone="good">
        <Trans>
          Your show is at <a href={url}>{host}</a>. Keep both DNS records: without them, the domain
          stops working.
        </Trans>
      </Notice>
    );
  }
  if (state === 'lost') {
    return (
      <Notice tone="bad">
        <Trans>
          The records have been wrong at three checks in a row, so your pages and feed are back at
          their old URLs. Correct the records, and the domain works again.
        </Trans>
      </Notice>
    );
  }
  return (
    <Notice tone="info">
      <Trans>Add the two records below. Until both are right, your show stays where it is.</Trans>
    </Notice>
  );
}

/** Record by record: what we see, and what we expect. */
function Findings({ domain, expected }: Pick<Props, 'domain' | 'expected'>) {
  const { t } = useLingui();
  const { found } = domain;
  if (found === null) return null;
  const isAlias = cnameTarget(expected) !== undefined;
  return (
    <DescriptionList
      of={[
        [t`TXT record`, <TextFinding key="txt" seen={found.txt} expected={expected} />],
        [
          isAlias ? t`CNAME record` : t`Addresses`,
          <PlaceFinding
            key="place"
            seen={found.addresses}
            isInternal={found.is_internal}
            expected={expected}
          />,
        ],
      ]}
    />
  );
}

interface FindingProps {
  readonly seen: readonly string[];
  readonly expected: ExpectedRecords;
}

function TextFinding({ seen, expected: { txt, txt_name: name } }: FindingProps): ReactNode {
  if (seen.some((text) => text.includes(txt))) return <Right />;
  const [ours, theirs, place] = [txt, seen.join(', '), name].map(asCode);
  if (seen.length === 0) return <Trans>We don’t see it at {place} yet.</Trans>;
  return <Difference ours={ours} theirs={theirs} />;
}

function PlaceFinding({
  seen,
  expected,
  isInternal,
}: FindingProps & { readonly isInternal: boolean }): ReactNode {
  if (isInternal)
    return (
      <Trans>It points to an address that the internet can’t reach. Remove that record.</Trans>
    );
  const others = seen.filter((address) => !expected.addresses.includes(address));
  if (seen.length > 0 && others.length === 0) return <Right />;
  const name = cnameTarget(expected);
  const [ours, theirs] = [name ?? expected.addresses.join(', '), others.join(', ')].map(asCode);
  if (seen.length === 0) return <Trans>We don’t see any yet. We expect {ours}.</Trans>;
  if (others.length < seen.length)
    return <Trans>Another record points to {theirs}. Delete it.</Trans>;
  if (name === undefined) return <Difference ours={ours} theirs={theirs} />;
  return (
    <Trans>
      It points to {theirs}, but it has to point to {ours}.
    </Trans>
  );
}

function Difference({ ours, theirs }: { readonly ours: ReactNode; readonly theirs: ReactNode }) {
  return (
    <Trans>
      We see {theirs}, but we expect {ours}.
    </Trans>
  );
}

function Right(): ReactNode {
  const { t } = useLingui();
  return <Badge tone="good">{t`Right`}</Badge>;
}
