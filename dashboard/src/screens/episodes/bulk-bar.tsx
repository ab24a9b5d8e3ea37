import { Plural, Trans, useLingui } from '@lingui/react/macro';
import type { BulkAction, EpisodeListItem } from '../../api/episodes.ts';
import { Button } from '../../components/button.tsx';
import { Notice } from '../../components/notice.tsx';
import { deleteLater } from '../../deletions/deletions.ts';
import { mayDo } from '../../publication/status-actions.ts';
import styles from './episodes.module.css';
import { type Refused, useBulkChange } from './use-bulk-change.ts';

interface Props {
  readonly podcastId: string;
  readonly episodes: readonly EpisodeListItem[];
  readonly may: (capability: string) => boolean;
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
      {may('episodes.delete') && (
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
        <Trans>Select none</Trans>
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
