import { useLingui } from '@lingui/react/macro';
import { useQueryClient } from '@tanstack/react-query';
import { changeStatus, type EpisodeListItem, restoreStatus } from '../../api/episodes.ts';
import { ApiError } from '../../api/errors.ts';
import { showMessage } from '../../components/toasts.ts';
import { withConfirmation } from '../../publication/confirmation.ts';

type State = Awaited<ReturnType<typeof changeStatus.archive>>;

/** Changes of an episode's status, each with a message that undoes it. */
export function useStatusChange(episode: EpisodeListItem) {
  const { t } = useLingui();
  const queries = useQueryClient();
  const { podcast_id: podcastId, title } = episode;
  const refresh = () => queries.invalidateQueries({ queryKey: ['episodes', podcastId] });

  async function run(change: () => Promise<State | undefined>, text: string) {
    try {
      const changed = await change();
      if (changed === undefined) return;
      const undo = async () => {
        try {
          await restoreStatus(changed, episode);
        } catch (error) {
          showMessage({ text: describe(error) }, { stays: true });
        }
        await refresh();
      };
      showMessage({ text, action: { label: t`Undo`, act: undo } });
    } catch (error) {
      showMessage({ text: describe(error) }, { stays: true });
    }
    await refresh();
  }

  function describe(error: unknown): string {
    if (!(error instanceof ApiError)) return t`The app made a mistake.`;
    if (error.status === 412) return t`“${title}” has changed. Check it and try again.`;
    return `“${title}”: ${error.message}`;
  }

  const publish = () =>
    withConfirmation({ title, action: 'publish' }, (confirm) =>
      changeStatus.publish(episode, confirm),
    );
  return {
    publish: () => void run(publish, t`“${title}” is published.`),
    unpublish: () => void run(() => changeStatus.unpublish(episode), t`“${title}” is now a draft.`),
    archive: () => void run(() => changeStatus.archive(episode), t`“${title}” is archived.`),
  };
}
