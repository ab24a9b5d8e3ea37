import { Trans, useLingui } from '@lingui/react/macro';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import {
  deleteWebhook,
  testWebhook,
  updateWebhook,
  type Webhook,
  type WebhookPath,
} from '../../../api/webhooks.ts';
import { Button } from '../../../components/button.tsx';
import { ConfirmDialog } from '../../../components/confirm-dialog.tsx';
import { FailureText } from '../../../components/failure-text.tsx';
import { LinkButton } from '../../../components/link-button.tsx';
import { Notice } from '../../../components/notice.tsx';
import { showMessage } from '../../../components/toasts.ts';
import styles from './webhooks.module.css';

interface Props {
  readonly of: WebhookPath;
  readonly webhook: Webhook;
  readonly roll: Asking['sending'];
}

interface Asking {
  readonly isOpen: boolean;
  readonly onClose: () => void;
  readonly sending: {
    readonly mutate: () => void;
    readonly isPending: boolean;
    readonly error: unknown;
  };
}

export function WebhookActions({ of, webhook, roll }: Props) {
  const { t } = useLingui();
  const queries = useQueryClient();
  const [asking, setAsking] = useState<'roll' | 'delete'>();
  const reload = () => queries.invalidateQueries({ queryKey: ['webhooks', of.podcastId] });
  const test = useMutation({
    mutationFn: () => testWebhook(of),
    async onSuccess() {
      await reload();
      showMessage({ text: t`A test is being sent. Its result appears below.` });
    },
  });
  const turn = useMutation({
    mutationFn: (isOn: boolean) => updateWebhook(of, { is_on: isOn }),
    onSuccess: reload,
  });
  const error = test.error ?? turn.error;
  const close = () => setAsking(undefined);
  return (
    <>
      <div className={styles['buttons']}>
        <Button kind="primary" isPending={test.isPending} onPress={() => test.mutate()}>
          {t`Send a test`}
        </Button>
        <LinkButton to="/shows/$podcastId/show/webhooks/$webhookId/edit" params={of}>
          <Trans>Edit</Trans>
        </LinkButton>
        <Button onPress={() => setAsking('roll')}>{t`Replace the secret`}</Button>
        <Button isPending={turn.isPending} onPress={() => turn.mutate(!webhook.is_on)}>
          {webhook.is_on ? t`Turn off` : t`Turn on`}
        </Button>
        <Button kind="danger" onPress={() => setAsking('delete')}>{t`Delete`}</Button>
      </div>
      {error !== null && (
        <Notice tone="bad">
          <FailureText error={error} />
        </Notice>
      )}
      <Rolling isOpen={asking === 'roll'} onClose={close} sending={roll} />
      <Deleting isOpen={asking === 'delete'} onClose={close} of={of} />
    </>
  );
}

function Rolling({ isOpen, onClose, sending }: Asking) {
  const { t } = useLingui();
  return (
    <ConfirmDialog
      isOpen={isOpen}
      onClose={onClose}
      title={t`Replace the secret?`}
      action={t`Replace the secret`}
      onConfirm={sending.mutate}
      isPending={sending.isPending}
      error={sending.error}
    >
      <p>
        <Trans>
          You get a new secret for your server. For a day, requests are signed with both secrets, so
          nothing is lost while you change it.
        </Trans>
      </p>
    </ConfirmDialog>
  );
}

function Deleting({ isOpen, onClose, of }: Omit<Asking, 'sending'> & { readonly of: WebhookPath }) {
  const { t } = useLingui();
  const queries = useQueryClient();
  const navigate = useNavigate();
  const remove = useMutation({
    mutationFn: () => deleteWebhook(of),
    async onSuccess() {
      const { podcastId } = of;
      await navigate({ to: '/shows/$podcastId/show/webhooks', params: { podcastId } });
      await queries.invalidateQueries({ queryKey: ['webhooks', podcastId] });
      showMessage({ text: t`The webhook was deleted.` });
    },
  });
  return (
    <ConfirmDialog
      isOpen={isOpen}
      onClose={onClose}
      title={t`Delete the webhook?`}
      action={t`Delete`}
      onConfirm={remove.mutate}
      isPending={remove.isPending}
      error={remove.error}
    >
      <p>
        <Trans>Its URL receives nothing more, and the list of its deliveries is deleted.</Trans>
      </p>
    </ConfirmDialog>
  );
}
