import { plural } from '@lingui/core/macro';
import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { maxEpisodesAtOnce } from '../../../../server/src/lib/limits.ts';
import {
  type BulkAction,
  changeMany,
  type EpisodeListItem,
  type EpisodeOutcome,
  restoreMany,
} from '../../api/episodes.ts';
import type { ShowRights } from '../../api/podcasts.ts';
import { Button } from '../../components/button.tsx';
import { Notice } from '../../components/notice.tsx';
import { showMessage } from '../../components/toasts.ts';
import { deleteLater } from '../../deletions/deletions.ts';
import { mayDo, resultOf } from '../../publication/status-actions.ts';
import styles from './episodes.module.css';

interface Props {
  readonly podcastId: string;
  readonly episodes: readonly EpisodeListItem[];
  readonly may: ShowRights | undefined;
  readonly onDone: () => void;
}

/** Acts on all selected episodes, and says which were refused. These stay selected. */
export function BulkBar({ podcastId, episodes, may, onDone }: Props) {
  const { t } = useLingui();
  const change = useBulkChange({ podcastId, episodes, onDone });
  const button = (action: BulkAction, label: string) =>
    episodes.some((episode) => mayDo(action, episode)) && (
      <Button size="small" isDisabled={change.isPending} onPress={() => change.mutate(action)}>
        {label}
      </Button>
    );
  return (
    <div className={styles['bulk']} role="toolbar" aria-label={t`Selected episodes`}>
      <span role="status">
        <Plural value={episodes.length} one="# selected" other="# selected" />
      </span>
      {button('publish', t`Publish`)}
      {button('unpublish', t`Return to draft`)}
      {button('archive', t`Archive`)}
      {may?.delete_episodes === true && (
        <Button
          size="small"
          kind="danger"
          onPress={() => {
            deleteLater(episodes);
            onDone();
          }}
        >
          <Trans>Delete</Trans>
        </Button>
      )}
      <Button size="small" kind="quiet" onPress={onDone}>
        <Trans>Clear selection</Trans>
      </Button>
      {change.data !== undefined && change.data.refused.length > 0 && (
        <div className={styles['refused']}>
          <RefusedEpisodes {...change.data} />
        </div>
      )}
    </div>
  );
}

/** The bar stays in view while the list scrolls, so it must leave room for the list: others are folded. */
const mostNamed = 3;

interface RefusedProps {
  readonly action: BulkAction;
  readonly refused: readonly Refused[];
}

function RefusedEpisodes({ action, refused }: RefusedProps) {
  // To fold a single one would save nothing.
  const others = refused.length - mostNamed;
  const isLong = others > 1;
  return (
    <Notice tone="bad">
      <NotDone action={action} count={refused.length} />
      <Reasons refused={isLong ? refused.slice(0, mostNamed) : refused} />
      {isLong && (
        <details>
          <summary>
            <Plural value={others} one="and # other" other="and # others" />
          </summary>
          <Reasons refused={refused.slice(mostNamed)} />
        </details>
      )}
      {refused.some(({ reason }) => reason === 'without_audio') && (
        <Trans>To publish an episode without audio, use its own menu.</Trans>
      )}
    </Notice>
  );
}

function Reasons({ refused }: Pick<RefusedProps, 'refused'>) {
  const { t } = useLingui();
  return (
    <ul>
      {refused.map(({ id, title, reason, message }) => (
        <li key={id}>
          {reason === 'without_audio' ? t`“${title}” has no audio.` : `“${title}”: ${message}`}
        </li>
      ))}
    </ul>
  );
}

function NotDone({ action, count }: { readonly action: BulkAction; readonly count: number }) {
  switch (action) {
    case 'publish':
      return (
        <Plural
          value={count}
          one="# episode couldn’t be published:"
          other="# episodes couldn’t be published:"
        />
      );
    case 'unpublish':
      return (
        <Plural
          value={count}
          one="# episode couldn’t be returned to draft:"
          other="# episodes couldn’t be returned to draft:"
        />
      );
    case 'archive':
      return (
        <Plural
          value={count}
          one="# episode couldn’t be archived:"
          other="# episodes couldn’t be archived:"
        />
      );
  }
}

/** Why one of the selected episodes was left as it is. */
interface Refused {
  readonly id: string;
  readonly title: string;
  readonly reason: string | undefined;
  readonly message: string;
}

interface UseBulkChangeProps {
  readonly podcastId: string;
  readonly episodes: readonly EpisodeListItem[];
  /** Everything was done. */
  readonly onDone: () => void;
}

/** Changes the status of all selected episodes, in groups, with one message that undoes it. */
function useBulkChange({ podcastId, episodes, onDone }: UseBulkChangeProps) {
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
  for (let first = 0; first < items.length; first += maxEpisodesAtOnce) {
    yield items.slice(first, first + maxEpisodesAtOnce);
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
