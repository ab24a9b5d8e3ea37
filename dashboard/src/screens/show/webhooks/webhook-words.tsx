import { Trans, useLingui } from '@lingui/react/macro';
import type { Webhook, WebhookDelivery, WebhookEvent } from '../../../api/webhooks.ts';
import { Badge } from '../../../components/badge.tsx';
import { LocalMoment } from '../../../components/moment.tsx';

type Words<Key extends string> = Readonly<Record<Key, string>>;

/** What a webhook is notified of. */
export function useEventWords(): Words<WebhookEvent | 'ping'> {
  const { t } = useLingui();
  return {
    'episode.published': t`Episode published`,
    'episode.updated': t`Episode updated`,
    'episode.unpublished': t`Episode unpublished`,
    'show.updated': t`Show updated`,
    'import.finished': t`Import finished`,
    ping: t`Test`,
  };
}

/** Nothing for a webhook that works. */
export function WebhookState({ of }: { readonly of: Webhook }) {
  const { t } = useLingui();
  if (!of.is_on) return <Badge tone={of.off_reason === 'failing' ? 'bad' : 'info'}>{t`Off`}</Badge>;
  if (of.failing_since !== null) return <Badge tone="warn">{t`Failing`}</Badge>;
  return null;
}

/** Why there was no response, by the server's reasons. */
function useReasonWords(): (reason: string) => string {
  const { t } = useLingui();
  const words: Readonly<Record<string, string>> = {
    bad_address: t`The URL is not valid.`,
    https_required: t`The URL is not https.`,
    address_not_allowed: t`The host has a private address.`,
    unreachable: t`The host could not be reached, or has no valid certificate.`,
    timeout: t`There was no response in time.`,
    too_many_redirects: t`It redirects, which webhooks don’t follow.`,
  };
  return (reason) => words[reason] ?? t`The request failed.`;
}

export function DeliveryState({ of }: { readonly of: WebhookDelivery }) {
  const { t } = useLingui();
  const reason = useReasonWords();
  const { state, status, error, due_at: dueAt } = of;
  const isWaiting = state === 'waiting' && dueAt !== null;
  const isRetried = isWaiting && of.attempts > 0 && !of.is_due;
  return (
    <>
      {state === 'delivered' && <Badge tone="good">{t`Delivered`}</Badge>}
      {state === 'failed' && <Badge tone="bad">{t`Failed`}</Badge>}
      {state === 'dropped' && <Badge>{t`Outdated`}</Badge>}
      {state === 'cancelled' && <Badge>{t`Canceled`}</Badge>}
      {isWaiting && <Badge tone={isRetried ? 'warn' : 'info'}>{t`Waiting`}</Badge>}
      {status !== null && (
        <>
          {' '}
          <Trans>Status {status}</Trans>
        </>
      )}
      {error !== null && <div>{reason(error)}</div>}
      {isRetried && (
        <div>
          <Trans>
            Next try: <LocalMoment of={dueAt} />
          </Trans>
        </div>
      )}
    </>
  );
}
