import { useLingui } from '@lingui/react/macro';
import { useState } from 'react';
import { changeStatus, restoreStatus } from '../../api/episodes.ts';
import { ApiError } from '../../api/errors.ts';
import { showMessage } from '../../components/toasts.ts';
import { useEditing } from './editing.ts';
import { isPublic } from './episode-fields.ts';
import { useEpisodeWrite } from './use-episode-write.ts';

type EpisodeState = Awaited<ReturnType<typeof changeStatus.archive>>;

/** Changes of the status. Each one can be undone by the message that reports it. */
export function useStatus() {
  const { t } = useLingui();
  const { engine, episode } = useEditing();
  const writeEpisode = useEpisodeWrite();
  const [isPending, setPending] = useState(false);
  const { id } = episode;

  const write = (change: (revision: number) => Promise<EpisodeState>) =>
    writeEpisode(change, ({ status, published_at, scheduled_for }) => ({
      status,
      published_at,
      scheduled_for,
    }));

  async function change(to: (revision: number) => Promise<EpisodeState>, text: string) {
    const before = episode;
    setPending(true);
    try {
      // The public must get the values that the person sees.
      await engine.flush();
      if (engine.state.dirty && !isPublic(before)) {
        showMessage({ text: t`Not everything is saved yet. Look at the top of the page first.` });
        return;
      }
      await write(to);
      const undo = () => write((revision) => restoreStatus({ id, revision }, before)).catch(report);
      showMessage({ text, action: { label: t`Undo`, act: () => void undo() } });
    } catch (error) {
      report(error);
    } finally {
      setPending(false);
    }
  }

  function report(error: unknown) {
    const text = error instanceof ApiError ? error.message : t`This did not work.`;
    showMessage({ text }, { stays: true });
  }

  return {
    isPending,
    publish: () => change((revision) => changeStatus.publish({ id, revision }), t`Published.`),
    schedule: (at: string) =>
      change((revision) => changeStatus.schedule({ id, revision }, at), t`Scheduled.`),
    unpublish: () =>
      change((revision) => changeStatus.unpublish({ id, revision }), t`Now a draft.`),
    archive: () => change((revision) => changeStatus.archive({ id, revision }), t`Archived.`),
  };
}
