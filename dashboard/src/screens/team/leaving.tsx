import { Trans, useLingui } from '@lingui/react/macro';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import type { MyPodcast } from '../../api/podcasts.ts';
import { leavePodcast } from '../../api/team.ts';
import { Button } from '../../components/button.tsx';
import { ConfirmDialog } from '../../components/confirm-dialog.tsx';
import { Section } from '../../components/section.tsx';
import { showMessage } from '../../components/toasts.ts';

export function Leaving({ show: { id, title } }: { readonly show: MyPodcast }) {
  const { t } = useLingui();
  const queries = useQueryClient();
  const navigate = useNavigate();
  const [isAsking, setAsking] = useState(false);
  const leave = useMutation({
    mutationFn: () => leavePodcast(id),
    async onSuccess() {
      showMessage({ text: t`You have left the team of ${title}.` });
      await navigate({ to: '/' });
      await queries.invalidateQueries();
    },
  });
  return (
    <Section
      title={t`Leave the team`}
      about={<Trans>To come back you need a new invitation.</Trans>}
    >
      <Button kind="danger" onPress={() => setAsking(true)}>{t`Leave the team`}</Button>
      <ConfirmDialog
        isOpen={isAsking}
        onClose={() => setAsking(false)}
        title={t`Leave the team?`}
        action={t`Leave the team`}
        onConfirm={leave.mutate}
        isPending={leave.isPending}
        error={leave.error}
      >
        <p>
          <Trans>You lose access to this show at once, also with your keys and sites.</Trans>
        </p>
      </ConfirmDialog>
    </Section>
  );
}
