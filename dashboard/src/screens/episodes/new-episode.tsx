import { Trans, useLingui } from '@lingui/react/macro';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { Plus } from 'lucide-react';
import { type FormEvent, lazy, Suspense, useState } from 'react';
import { createEpisode } from '../../api/episodes.ts';
import { Button } from '../../components/button.tsx';
import { FailureText } from '../../components/failure-text.tsx';
import { Notice } from '../../components/notice.tsx';
import { TextField } from '../../components/text-field.tsx';

const Dialog = lazy(async () => ({
  default: (await import('../../components/dialog.tsx')).Dialog,
}));

/** Asks for the title, because the address and the file names of an episode come from it. */
export function NewEpisode({ podcastId }: { readonly podcastId: string }) {
  const { t } = useLingui();
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button kind="primary" onPress={() => setOpen(true)}>
        <Plus size={18} aria-hidden="true" />
        <Trans>New episode</Trans>
      </Button>
      <Suspense fallback={null}>
        {isOpen && (
          <Dialog isOpen title={t`New episode`} onClose={() => setOpen(false)}>
            <Title podcastId={podcastId} />
          </Dialog>
        )}
      </Suspense>
    </>
  );
}

function Title({ podcastId }: { readonly podcastId: string }) {
  const { t } = useLingui();
  const navigate = useNavigate();
  const queries = useQueryClient();
  const [title, setTitle] = useState('');
  const create = useMutation({
    mutationFn: () => createEpisode(podcastId, title.trim()),
    async onSuccess({ id }) {
      void queries.invalidateQueries({ queryKey: ['episodes', podcastId] });
      await navigate({ to: `/shows/${podcastId}/episodes/${id}` });
    },
  });
  function submit(event: FormEvent) {
    event.preventDefault();
    if (title.trim() !== '' && !create.isPending) create.mutate();
  }
  return (
    <form onSubmit={submit}>
      {create.error !== null && (
        <Notice tone="bad">
          <FailureText error={create.error} />
        </Notice>
      )}
      <TextField
        label={t`Title of the episode`}
        hint={t`Its address comes from it. You can change both later.`}
        value={title}
        onChange={setTitle}
        maxLength={500}
        autoFocus
        isRequired
      />
      <Button type="submit" kind="primary" isPending={create.isPending}>
        <Trans>Create the draft</Trans>
      </Button>
    </form>
  );
}
