import { useLingui } from '@lingui/react/macro';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate, useParams } from '@tanstack/react-router';
import {
  updateWebhook,
  type Webhook,
  type WebhookList,
  webhookQuery,
  webhooksQuery,
} from '../../../api/webhooks.ts';
import { QueryView } from '../../../components/query-view.tsx';
import { showMessage } from '../../../components/toasts.ts';
import { ShowPage } from '../show-page.tsx';
import { WebhookForm, type WebhookInput } from './webhook-form.tsx';

export function EditWebhook() {
  const { t } = useLingui();
  const { podcastId = '', webhookId = '' } = useParams({ strict: false });
  const webhooks = useQuery(webhooksQuery(podcastId));
  const webhook = useQuery(webhookQuery({ podcastId, webhookId }));
  return (
    <ShowPage title={t`Edit the webhook`} needs={(may) => may.webhooks}>
      {() => (
        <QueryView query={webhooks}>
          {({ choices }) => (
            <QueryView query={webhook}>
              {(found) => <EditForm podcastId={podcastId} of={found} choices={choices} />}
            </QueryView>
          )}
        </QueryView>
      )}
    </ShowPage>
  );
}

interface Props {
  readonly podcastId: string;
  readonly of: Webhook;
  readonly choices: WebhookList['choices'];
}

function EditForm({ podcastId, of: { id: webhookId, url, types }, choices }: Props) {
  const { t } = useLingui();
  const queries = useQueryClient();
  const navigate = useNavigate();
  const save = useMutation({
    mutationFn: (input: WebhookInput) => updateWebhook({ podcastId, webhookId }, input),
    async onSuccess() {
      await queries.invalidateQueries({ queryKey: ['webhooks', podcastId] });
      showMessage({ text: t`The webhook was saved.` });
      const params = { podcastId, webhookId };
      await navigate({ to: '/shows/$podcastId/show/webhooks/$webhookId', params });
    },
  });
  return (
    <WebhookForm
      podcastId={podcastId}
      initial={{ url, types: [...types] }}
      choices={choices.types}
      submit={t`Save`}
      sending={save}
    />
  );
}
