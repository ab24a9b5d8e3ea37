import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { type Webhook, type WebhookList, webhooksQuery } from '../../../api/webhooks.ts';
import { Card, Cards } from '../../../components/card.tsx';
import { EmptyState } from '../../../components/empty-state.tsx';
import { LinkButton } from '../../../components/link-button.tsx';
import { QueryView } from '../../../components/query-view.tsx';
import { ShowPage } from '../show-page.tsx';
import { useEventWords, WebhookState } from './webhook-words.tsx';
import styles from './webhooks.module.css';

/** The URLs that are notified of a show's changes. */
export function Webhooks() {
  const { t } = useLingui();
  const { podcastId = '' } = useParams({ strict: false });
  const webhooks = useQuery(webhooksQuery(podcastId));
  return (
    <ShowPage title={t`Webhooks`} needs={(may) => may.webhooks}>
      {() => (
        <QueryView query={webhooks}>
          {(list) => <ListOfWebhooks podcastId={podcastId} list={list} />}
        </QueryView>
      )}
    </ShowPage>
  );
}

interface ListProps {
  readonly podcastId: string;
  readonly list: WebhookList;
}

function ListOfWebhooks({ podcastId, list }: ListProps) {
  const { t } = useLingui();
  const { data: webhooks, most } = list;
  const create = (
    <LinkButton to="/shows/$podcastId/show/webhooks/new" params={{ podcastId }} kind="primary">
      <Trans>Create a webhook</Trans>
    </LinkButton>
  );
  if (webhooks.length === 0) {
    return (
      <EmptyState title={t`No webhooks yet`} action={create}>
        <Trans>
          A webhook is a URL of yours that receives a request when this show changes: when an
          episode is published or corrected, for example. Use it to rebuild a website, post to a
          chat, or start an automation. <a href="/docs/webhooks">How webhooks work</a>
        </Trans>
      </EmptyState>
    );
  }
  return (
    <>
      <p className={styles['lead']}>
        <Plural
          value={webhooks.length}
          one={`This show has # of ${most} webhooks.`}
          other={`This show has # of ${most} webhooks.`}
        />{' '}
        {!list.may_create && <Trans>Delete one before you create another.</Trans>}{' '}
        <a href="/docs/webhooks">
          <Trans>How webhooks work</Trans>
        </a>
      </p>
      {list.may_create && <p className={styles['lead']}>{create}</p>}
      <Cards label={t`Webhooks`}>
        {webhooks.map((webhook) => (
          <WebhookCard key={webhook.id} podcastId={podcastId} of={webhook} />
        ))}
      </Cards>
    </>
  );
}

function WebhookCard({ podcastId, of }: { readonly podcastId: string; readonly of: Webhook }) {
  const { t } = useLingui();
  const words = useEventWords();
  const { id: webhookId, url, types } = of;
  return (
    <Card
      title={
        <>
          <bdi className={styles['url']} translate="no">
            {url}
          </bdi>{' '}
          <WebhookState of={of} />
        </>
      }
      about={types.map((type) => words[type]).join(' · ')}
      actions={
        <LinkButton
          to="/shows/$podcastId/show/webhooks/$webhookId"
          params={{ podcastId, webhookId }}
          size="small"
          aria-label={t`Open: ${url}`}
        >
          <Trans>Open</Trans>
        </LinkButton>
      }
    />
  );
}
