import { plural } from '@lingui/core/macro';
import { useLingui } from '@lingui/react/macro';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import {
  type BulkAction,
  bulkSize,
  changeMany,
  type EpisodeListItem,
  type EpisodeOutcome,
  restoreMany,
} from '../../api/episodes.ts';
import { showMessage } from '../../components/toasts.ts';
import { resultOf } from '../../publication/status-actions.ts';

/** Why one of the selected episodes was left as it is. */
export interface Refused {
  readonly id: string;
  readonly title: string;
  readonly reason: string | undefined;
  readonly message: string;
}

interface Props {
  readonly podcastId: string;
  readonly episodes: readonly EpisodeListItem[];
  /** Everything was done. */
  readonly onDone: () => void;
}

/** Changes the status of all selected episodes, in groups, with one message that undoes it. */
export function useBulkChange({ podcastId, episodes, onDone }: Props) {
  const { t } = useLingui();
  const queries = useQueryClient();
  const refresh = () => queries.invalidateQueries({ queryKey: ['episodes', podcastId] });
  const change = useMutation({
    async mutationFn(action: BulkAction) {
      const wanted = episodes.filter(({ status }) => status !== resultOf[action]);
      const outcomes: EpisodeOutcome[] = [];
      try {
        for (const group of inGroups(wanted)) {
          const ids = group.map(({ id }) => id);
          outcomes.push(...(await changeMany(podcastId, action, ids)));
        }
      } finally {
        // Also if a later group failed: the earlier ones can be undone.
        offerUndo(action, wanted, outcomes);
      }
      return { action, refused: refusedOf(wanted, outcomes) };
    },
    onError: ({ message }) => showMessage({ text: message }, { stays: true }),
    onSuccess: ({ refused }) => refused.length === 0 && onDone(),
    onSettled: refresh,
  });

  function offerUndo(
    action: BulkAction,
    before: readonly EpisodeListItem[],
    outcomes: readonly EpisodeOutcome[],
  ) {
    const revisions = new Map(outcomes.map(({ id, revision }) => [id, revision]));
    const changed = before.flatMap((episode) => {
      const revision = revisions.get(episode.id) ?? null;
      return revision === null ? [] : [{ ...episode, revision }];
    });
    if (changed.length === 0) return;
    const act = () => void undo(changed);
    showMessage({ text: say(action, changed.length), action: { label: t`Undo`, act } });
  }

  async function undo(changed: readonly EpisodeListItem[]) {
    try {
      for (const group of inGroups(changed)) {
        for (const { title, message } of refusedOf(group, await restoreMany(podcastId, group))) {
          showMessage({ text: `“${title}”: ${message}` }, { stays: true });
        }
      }
    } catch (error) {
      showMessage({ text: (error as Error).message }, { stays: true });
    }
    await refresh();
  }

  return change;
}

function* inGroups<T>(items: readonly T[]): Generator<T[]> {
  for (let first = 0; first < items.length; first += bulkSize) {
    yield items.slice(first, first + bulkSize);
  }
}

function refusedOf(
  episodes: readonly EpisodeListItem[],
  outcomes: readonly EpisodeOutcome[],
): Refused[] {
  const titles = new Map(episodes.map(({ id, title }) => [id, title]));
  return outcomes.flatMap(({ id, error }) => {
    if (error === null) return [];
    return [{ id, title: titles.get(id) ?? '', reason: error.reason, message: error.message }];
  });
}

function say(action: BulkAction, count: number): string {
  switch (action) {
    case 'publish':
      return plural(count, { one: '# episode published.', other: '# episodes published.' });
    case 'unpublish':
      return plural(count, {
        one: '# episode returned to draft.',
        other: '# episodes returned to draft.',
      });
    case 'archive':
      return plural(count, { one: '# episode archived.', other: '# episodes archived.' });
  }
}
