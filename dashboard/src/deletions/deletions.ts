import { plural, t } from '@lingui/core/macro';
import { useMemo, useSyncExternalStore } from 'react';
import { deleteEpisode } from '../api/episodes.ts';
import { ApiError } from '../api/errors.ts';
import { queryClient } from '../api/query-client.ts';
import { showMessage } from '../components/toasts.ts';
import { createPendingActions } from '../lib/pending-actions.ts';

/** Deletions of episodes: each waits ten seconds, and its message offers to undo it. */
const pending = createPendingActions({
  storage: localStorage,
  now: () => Date.now(),
  handlers: {
    async episode({ id, values }, { keepalive }) {
      try {
        await deleteEpisode({ id, revision: Number(values['revision']) }, keepalive);
      } catch (error) {
        // The episode is gone: a page sent the deletion when it was left, and got no response.
        if (!(error instanceof ApiError && error.status === 404)) throw error;
      }
      await queryClient.invalidateQueries({ queryKey: ['episodes'] });
    },
  },
  onFailure({ values }, error) {
    const title = values['title'] ?? '';
    const isChanged = error instanceof ApiError && error.status === 412;
    const reason = error instanceof Error ? error.message : '';
    const text = isChanged
      ? t`“${title}” wasn’t deleted: it was changed in another window or by someone else.`
      : t`“${title}” wasn’t deleted: ${reason}`;
    showMessage({ text }, { stays: true });
  },
});
window.addEventListener('pagehide', () => pending.flush());

interface Deletable {
  readonly id: string;
  readonly title: string;
  readonly revision: number;
}

export function deleteLater(episodes: readonly Deletable[]): void {
  for (const { id, title, revision } of episodes) {
    pending.add({ id, kind: 'episode', values: { title, revision: String(revision) } });
  }
  const [first] = episodes;
  const title = first?.title ?? '';
  const count = episodes.length;
  showMessage({
    text:
      count === 1
        ? t`“${title}” will be deleted.`
        : plural(count, {
            one: '# episode will be deleted.',
            other: '# episodes will be deleted.',
          }),
    action: {
      label: t`Undo`,
      act() {
        for (const { id } of episodes) pending.undo(id);
      },
    },
  });
}

/** The ids of episodes that wait to be deleted, which lists leave out. */
export function usePendingDeletions(): ReadonlySet<string> {
  const actions = useSyncExternalStore(pending.subscribe, pending.list);
  return useMemo(() => new Set(actions.map(({ id }) => id)), [actions]);
}
