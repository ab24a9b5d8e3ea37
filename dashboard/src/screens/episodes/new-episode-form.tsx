import { Trans, useLingui } from '@lingui/react/macro';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import { episodeFields } from '../../../../server/src/lib/fields/episode-fields.ts';
import { createEpisode } from '../../api/episodes.ts';
import { Button } from '../../components/button.tsx';
import { FailureText } from '../../components/failure-text.tsx';
import { Notice } from '../../components/notice.tsx';
import { TextField } from '../../components/text-field.tsx';

// biome-ignore lint/style/noDefaultExport: React.lazy takes a default export.
export default function NewEpisodeForm({ podcastId }: { readonly podcastId: string }) {
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
        label={t`Episode title`}
        hint={t`We’ll use it for the URL. You can change both later.`}
        value={title}
        onChange={setTitle}
        maxLength={episodeFields.title.max}
        autoFocus
        isRequired
      />
      <Button type="submit" kind="primary" isPending={create.isPending}>
        <Trans>Create draft</Trans>
      </Button>
    </form>
  );
}
