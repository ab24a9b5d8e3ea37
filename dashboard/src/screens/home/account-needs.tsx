import { Trans } from '@lingui/react/macro';
import type { ReactNode } from 'react';
import type { AccountNeed } from '../../api/home.ts';
import { Notice, type Tone } from '../../components/notice.tsx';
import { OverageText } from '../../components/overage-text.tsx';
import { UnsentEmails } from '../../components/unsent-emails.tsx';
import { formatDate } from '../../lib/format.ts';

/** What the person should do about their account, above the shows. */
export function AccountNeeds({ needs }: { readonly needs: readonly AccountNeed[] }) {
  return (
    <>
      {needs.map((need) => (
        <Notice
          key={need.kind + (need.key_id ?? need.site_id ?? need.import_id ?? '')}
          tone={toneOf(need)}
        >
          {describe(need)}
        </Notice>
      ))}
      {needs.some(({ kind }) => kind === 'email_not_confirmed') && <UnsentEmails />}
    </>
  );
}

function toneOf({ kind }: AccountNeed): Tone {
  return ['plan_lapsed', 'downloads_exceeded', 'terms_to_accept'].includes(kind) ? 'bad' : 'warn';
}

const day = (moment: string | undefined) => (moment === undefined ? '' : formatDate(moment));

function describe(need: AccountNeed): ReactNode {
  const { name = '', email = '', site_url: site = '' } = need;
  const expires = day(need.expires_at);
  switch (need.kind) {
    case 'terms_to_accept':
      return (
        <a href="/app/settings/terms">
          <Trans>The terms have changed. Read and accept them.</Trans>
        </a>
      );
    case 'plan_lapsed':
      return <Trans>Your plan has lapsed. Feeds stay public; keys and connected sites wait.</Trans>;
    case 'downloads_near':
    case 'downloads_exceeded':
      return (
        <OverageText
          overage={{
            kind: need.kind,
            downloads: need.downloads ?? 0,
            monthly_downloads: need.monthly_downloads ?? 0,
            is_suspended: need.is_suspended ?? false,
            suspends_at: need.suspends_at ?? null,
            renews_on: need.renews_on ?? '',
          }}
        />
      );
    case 'email_not_confirmed':
      return <Trans>Open the link that was sent to {email} to confirm your new address.</Trans>;
    case 'key_expires':
      return (
        <a href="/app/settings/keys">
          <Trans>
            The key “{name}” expires on {expires}.
          </Trans>
        </a>
      );
    case 'site_expires':
      return (
        <a href="/app/settings/sites">
          <Trans>
            The connection of {site} expires on {expires}.
          </Trans>
        </a>
      );
    case 'import_failed':
      return (
        <a href={`/app/imports/${need.import_id}`}>
          <Trans>An import has failed. See why.</Trans>
        </a>
      );
    default:
      return need.kind;
  }
}
