import { useLingui } from '@lingui/react/macro';
import { useQueryClient } from '@tanstack/react-query';
import { changeStatus, type EpisodeListItem, restoreStatus } from '../../api/episodes.ts';
import { ApiError } from '../../api/errors.ts';
import { showMessage } from '../../components/toasts.ts';

/** Changes of an episode's status, each with a message that undoes it. */
export function useStatusChange(episode: EpisodeListItem) {
  const { t } = useLingui();
  const queries = useQueryClient();
  const { podcast_id: podcastId, title } = episode;
  const refresh = () => queries.invalidateQueries({ queryKey: ['episodes', podcastId] });

  async function run(action: 'publish' | 'unpublish' | 'archive', text: string) {
    try {
      const changed = await changeStatus[action](episode);
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
    if (error.status === 412) {
      return t`“${title}” was changed in another window or by somebody else. Look at it first.`;
    }
    return error.message;
  }

  return {
    publish: () => void run('publish', t`“${title}” is published.`),
    unpublish: () => void run('unpublish', t`“${title}” is a draft now.`),
    archive: () => void run('archive', t`“${title}” is archived.`),
  };
}
