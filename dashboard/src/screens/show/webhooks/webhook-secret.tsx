import { Trans, useLingui } from '@lingui/react/macro';
import type { WebhookWithSecret } from '../../../api/webhooks.ts';
import { LinkButton } from '../../../components/link-button.tsx';
import { LocalMoment } from '../../../components/moment.tsx';
import { SecretOnce } from '../../../components/secret-once.tsx';
import styles from './webhooks.module.css';

interface Props {
  readonly podcastId: string;
  readonly made: WebhookWithSecret;
  /** Instead of the link to the webhook, where its screen shows this. */
  readonly onDone?: React.ReactNode;
}

/** The only place that shows the secret of a webhook, from the server's response. */
export function WebhookSecret({ podcastId, made: { webhook, secret }, onDone }: Props) {
  const { t } = useLingui();
  const graceEndsAt = webhook.grace_ends_at;
  return (
    <SecretOnce
      label={t`Secret of the webhook`}
      secret={secret}
      notice={<Trans>Copy it now. It’s shown only once.</Trans>}
    >
      <p>
        <Trans>
          Your server needs it to check that a request comes from here.{' '}
          <a href="/docs/webhooks">How to verify requests</a>
        </Trans>
      </p>
      {graceEndsAt !== null && (
        <p>
          <Trans>
            Until <LocalMoment of={graceEndsAt} />, requests are signed with the old secret too.
          </Trans>
        </p>
      )}
      <p className={styles['back']}>
        {onDone ?? (
          <LinkButton
            to="/shows/$podcastId/show/webhooks/$webhookId"
            params={{ podcastId, webhookId: webhook.id }}
            kind="primary"
          >
            <Trans>Continue</Trans>
          </LinkButton>
        )}
      </p>
    </SecretOnce>
  );
}
