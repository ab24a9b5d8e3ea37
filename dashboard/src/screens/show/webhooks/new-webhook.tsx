import { useLingui } from '@lingui/react/macro';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { createWebhook, type WebhookList, webhooksQuery } from '../../../api/webhooks.ts';
import { QueryView } from '../../../components/query-view.tsx';
import { ShowPage } from '../show-page.tsx';
import { WebhookForm, type WebhookInput } from './webhook-form.tsx';
import { WebhookSecret } from './webhook-secret.tsx';

export function NewWebhook() {
  const { t } = useLingui();
  const { podcastId = '' } = useParams({ strict: false });
  const webhooks = useQuery(webhooksQuery(podcastId));
  return (
    <ShowPage title={t`Create a webhook`} needs={(may) => may.webhooks}>
      {() => (
        <QueryView query={webhooks}>
          {({ choices }) => <NewWebhookForm podcastId={podcastId} choices={choices} />}
        </QueryView>
      )}
    </ShowPage>
  );
}

interface Props {
  readonly podcastId: string;
  readonly choices: WebhookList['choices'];
}

function NewWebhookForm({ podcastId, choices }: Props) {
  const { t } = useLingui();
  const queries = useQueryClient();
  const create = useMutation({
    mutationFn: (input: WebhookInput) => createWebhook(podcastId, input),
    onSuccess: () => queries.invalidateQueries({ queryKey: ['webhooks', podcastId] }),
    // It contains a secret.
    gcTime: 0,
  });
  if (create.data !== undefined) return <WebhookSecret podcastId={podcastId} made={create.data} />;
  return (
    <WebhookForm
      podcastId={podcastId}
      initial={{ url: '', types: ['episode.published'] }}
      choices={choices.types}
      submit={t`Create the webhook`}
      sending={create}
    />
  );
}
