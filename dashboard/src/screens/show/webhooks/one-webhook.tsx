import { Trans, useLingui } from '@lingui/react/macro';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { rollWebhook, type Webhook, webhookQuery } from '../../../api/webhooks.ts';
import { Button } from '../../../components/button.tsx';
import { DescriptionList } from '../../../components/description-list.tsx';
import { LinkButton } from '../../../components/link-button.tsx';
import { LocalMoment } from '../../../components/moment.tsx';
import { Notice } from '../../../components/notice.tsx';
import { QueryView } from '../../../components/query-view.tsx';
import { ShowPage } from '../show-page.tsx';
import { Deliveries } from './deliveries.tsx';
import { WebhookActions } from './webhook-actions.tsx';
import { WebhookSecret } from './webhook-secret.tsx';
import { useEventWords, WebhookState } from './webhook-words.tsx';
import styles from './webhooks.module.css';

/** A webhook, what can be done with it, and what was sent to it. */
export function OneWebhook() {
  const { t } = useLingui();
  const { podcastId = '', webhookId = '' } = useParams({ strict: false });
  const webhook = useQuery({
    ...webhookQuery({ podcastId, webhookId }),
    refetchInterval: 15_000,
  });
  return (
    <ShowPage title={t`Webhook`} needs={(may) => may.webhooks}>
      {() => (
        <>
          <QueryView query={webhook}>
            {(found) => <OpenWebhook podcastId={podcastId} of={found} />}
          </QueryView>
          <p className={styles['back']}>
            <LinkButton to="/shows/$podcastId/show/webhooks" params={{ podcastId }}>
              <Trans>Back to webhooks</Trans>
            </LinkButton>
          </p>
        </>
      )}
    </ShowPage>
  );
}

interface Props {
  readonly podcastId: string;
  readonly of: Webhook;
}

function OpenWebhook({ podcastId, of: webhook }: Props) {
  const { t } = useLingui();
  const of = { podcastId, webhookId: webhook.id };
  const roll = useMutation({
    mutationFn: () => rollWebhook(of),
    // It contains a secret.
    gcTime: 0,
  });
  if (roll.data !== undefined) {
    const done = <Button kind="primary" onPress={roll.reset}>{t`Done`}</Button>;
    return <WebhookSecret podcastId={podcastId} made={roll.data} onDone={done} />;
  }
  return (
    <>
      <WebhookTrouble of={webhook} />
      <WebhookFacts of={webhook} />
      <WebhookActions of={of} webhook={webhook} roll={roll} />
      <h2 className={styles['heading']}>
        <Trans>Deliveries</Trans>
      </h2>
      <Deliveries of={of} isOn={webhook.is_on} />
    </>
  );
}

function WebhookTrouble({ of }: { readonly of: Webhook }) {
  if (of.off_reason === 'failing')
    return (
      <Notice tone="bad">
        <Trans>
          This webhook was turned off because every delivery failed. The last responses are below.
          When your server works again, turn it on.
        </Trans>
      </Notice>
    );
  if (of.off_reason === 'ownership')
    return (
      <Notice tone="warn">
        <Trans>
          This webhook was turned off when the show was transferred. Turn it on if you know where
          its URL leads; otherwise, delete it.
        </Trans>
      </Notice>
    );
  if (of.is_on && of.failing_since !== null)
    return (
      <Notice tone="warn">
        <Trans>
          Every delivery has failed since <LocalMoment of={of.failing_since} />. After three days,
          the webhook is turned off.
        </Trans>
      </Notice>
    );
  return null;
}

function WebhookFacts({ of: webhook }: { readonly of: Webhook }) {
  const { t } = useLingui();
  const words = useEventWords();
  return (
    <DescriptionList
      of={[
        [
          t`URL`,
          <span key="url">
            <bdi className={styles['url']} translate="no">
              {webhook.url}
            </bdi>{' '}
            <WebhookState of={webhook} />
          </span>,
        ],
        [t`Events`, webhook.types.map((type) => words[type]).join(' · ')],
        [t`Created`, <LocalMoment key="created" of={webhook.created_at} />],
        [t`Turned off`, webhook.off_at !== null && <LocalMoment of={webhook.off_at} />],
        [
          t`Old secret`,
          webhook.grace_ends_at !== null && (
            <Trans>
              signs too until <LocalMoment of={webhook.grace_ends_at} />
            </Trans>
          ),
        ],
      ]}
    />
  );
}
