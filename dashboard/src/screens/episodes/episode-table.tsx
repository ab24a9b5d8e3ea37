import { Trans, useLingui } from '@lingui/react/macro';
import { useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { useWindowVirtualizer } from '@tanstack/react-virtual';
import { Ellipsis } from 'lucide-react';
import { type Dispatch, memo, type SetStateAction, useCallback, useEffect, useRef } from 'react';
import {
  changeStatus,
  duplicateEpisode,
  type EpisodeListItem,
  restoreStatus,
} from '../../api/episodes.ts';
import { ApiError } from '../../api/errors.ts';
import type { ShowRights } from '../../api/podcasts.ts';
import { Menu, type MenuAction } from '../../components/menu.tsx';
import { Moment } from '../../components/moment.tsx';
import { StatusBadge } from '../../components/status-badge.tsx';
import { showMessage } from '../../components/toasts.ts';
import { deleteLater } from '../../deletions/deletions.ts';
import { formatDuration, formatNumber } from '../../lib/format.ts';
import { withConfirmation } from '../../publication/confirmation.ts';
import { mayDo, useStatusActionNames } from '../../publication/status-actions.ts';
import styles from './episodes.module.css';

interface Props {
  readonly episodes: readonly EpisodeListItem[];
  readonly selected: ReadonlySet<string>;
  readonly onSelect: Dispatch<SetStateAction<ReadonlySet<string>>>;
  /** The show's. */
  readonly zone: string;
  readonly may: ShowRights | undefined;
  /** The rest of the list. */
  readonly more: {
    readonly hasNextPage: boolean;
    readonly isFetchingNextPage: boolean;
    readonly fetchNextPage: () => unknown;
  };
}

/** In pixels, of a title in one line; the style sheet sets the same height. */
const rowHeight = 65;
/** Rows outside of the window that are drawn in advance. */
const overscan = 12;
/** The next page is loaded when so many rows are left. */
const readAhead = 40;

/**
 * A plain table that draws only the rows in the window, so that thousands of them scroll smoothly.
 */
export function EpisodeTable({ episodes, selected, onSelect, zone, may, more }: Props) {
  const { t } = useLingui();
  const body = useRef<HTMLTableSectionElement>(null);
  // With a new function, each step of a scroll would measure all rows again.
  const keyOf = useCallback((index: number) => episodes[index]?.id ?? index, [episodes]);
  const rows = useWindowVirtualizer({
    count: episodes.length,
    estimateSize: () => rowHeight,
    overscan,
    scrollMargin: body.current?.offsetTop ?? 0,
    getItemKey: keyOf,
  });
  const items = rows.getVirtualItems();
  const last = items.at(-1)?.index ?? 0;
  const { hasNextPage, isFetchingNextPage, fetchNextPage } = more;
  const isNearEnd = last > episodes.length - readAhead;
  useEffect(() => {
    if (isNearEnd && hasNextPage && !isFetchingNextPage) fetchNextPage();
  }, [isNearEnd, hasNextPage, isFetchingNextPage, fetchNextPage]);

  // Unchanged props, so that scrolling draws only new rows.
  const toggle = useCallback(
    (id: string, isOn: boolean) =>
      onSelect((before) => {
        const next = new Set(before);
        if (isOn) next.add(id);
        else next.delete(id);
        return next;
      }),
    [onSelect],
  );
  const areAll = selected.size > 0 && episodes.every(({ id }) => selected.has(id));
  const before = (items[0]?.start ?? 0) - rows.options.scrollMargin;
  const after = rows.getTotalSize() - ((items.at(-1)?.end ?? 0) - rows.options.scrollMargin);
  return (
    <table className={styles['table']} aria-rowcount={hasNextPage ? -1 : episodes.length + 1}>
      <thead>
        <tr>
          <th className={styles['check']}>
            <input
              type="checkbox"
              aria-label={t`Select all loaded episodes`}
              checked={areAll}
              onChange={() => onSelect(areAll ? new Set() : new Set(episodes.map(({ id }) => id)))}
            />
          </th>
          <th scope="col">
            <Trans>Title</Trans>
          </th>
          <th scope="col" className={styles['status']}>
            <Trans>Status</Trans>
          </th>
          <th scope="col" className={styles['when']}>
            <Trans>Date</Trans>
          </th>
          <th scope="col" className={styles['figure']}>
            <Trans>Length</Trans>
          </th>
          <th scope="col" className={styles['figure']}>
            <Trans>Last 7 days</Trans>
          </th>
          <th className={styles['more']}>
            <span className="unseen">
              <Trans>Actions</Trans>
            </span>
          </th>
        </tr>
      </thead>
      <tbody ref={body}>
        <Gap height={before} />
        {items.map(({ index, key }) => {
          const episode = episodes[index];
          if (episode === undefined) return null;
          const isSelected = selected.has(episode.id);
          return (
            <EpisodeRow
              key={key}
              index={index}
              episode={episode}
              isSelected={isSelected}
              onToggle={toggle}
              zone={zone}
              may={may}
              measure={rows.measureElement}
            />
          );
        })}
        <Gap height={after} />
      </tbody>
    </table>
  );
}

/** Takes the space of rows that are not drawn. */
function Gap({ height }: { readonly height: number }) {
  if (height <= 0) return null;
  return (
    // biome-ignore lint/a11y/noAriaHiddenOnFocusable: nothing in it can have the focus.
    <tr aria-hidden="true">
      {/* Only one column: in a narrow window, which hides some, more would take the room of the titles. */}
      <td style={{ height, padding: 0 }} />
    </tr>
  );
}

interface EpisodeRowProps {
  readonly index: number;
  readonly episode: EpisodeListItem;
  readonly isSelected: boolean;
  readonly onToggle: (id: string, isOn: boolean) => void;
  /** The show's. */
  readonly zone: string;
  readonly may: ShowRights | undefined;
  /** Tells the list how high the row is. */
  readonly measure: (row: HTMLTableRowElement | null) => void;
}

const EpisodeRow = memo(function EpisodeRow(props: EpisodeRowProps) {
  const { t } = useLingui();
  const { index, episode, isSelected, onToggle, zone, may, measure } = props;
  const {
    id,
    podcast_id: podcastId,
    title,
    duration_seconds: length,
    downloads_7d: downloads,
  } = episode;
  const when = episode.scheduled_for ?? episode.published_at;
  const duration = length === null ? t`No audio` : formatDuration(length);
  const figure = downloads === null ? '–' : formatNumber(downloads);
  const badge = <StatusBadge status={episode.status} />;
  return (
    <tr ref={measure} data-index={index} className={styles['row']} aria-rowindex={index + 2}>
      <td className={styles['check']}>
        <input
          type="checkbox"
          aria-label={t`Select ${title}`}
          checked={isSelected}
          onChange={(event) => onToggle(id, event.target.checked)}
        />
      </td>
      <td>
        <Link
          to={`/shows/${podcastId}/episodes/${id}` as string}
          className={styles['name']}
          dir="auto"
          title={title}
        >
          {title}
        </Link>
        <span className={styles['under']}>
          {badge}{' '}
          <span className="meta">
            {when !== null && <Moment of={when} zone={zone} day={episode.scheduled_for === null} />}
          </span>
        </span>
      </td>
      <td className={styles['status']}>{badge}</td>
      <td className={styles['when']}>{when === null ? '–' : <Moment of={when} zone={zone} />}</td>
      <td className={styles['figure']}>{duration}</td>
      <td className={styles['figure']}>
        {downloads === null ? (
          figure
        ) : (
          <Link
            to="/shows/$podcastId/statistics/episodes/$episodeId"
            params={{ podcastId, episodeId: id }}
            aria-label={t`Statistics for ${title}: ${figure}`}
          >
            {figure}
          </Link>
        )}
      </td>
      <td className={styles['more']}>
        <EpisodeMenu episode={episode} may={may} />
      </td>
    </tr>
  );
});

interface EpisodeMenuProps {
  readonly episode: EpisodeListItem;
  readonly may: ShowRights | undefined;
}

/** The actions on an episode in the list that the role allows. */
function EpisodeMenu({ episode, may }: EpisodeMenuProps) {
  const { t } = useLingui();
  const navigate = useNavigate();
  const change = useStatusChange(episode);
  const { id, podcast_id: podcastId, status, title } = episode;
  const open = (episodeId: string) => navigate({ to: `/shows/${podcastId}/episodes/${episodeId}` });
  const showStatistics = () =>
    navigate({
      to: '/shows/$podcastId/statistics/episodes/$episodeId',
      params: { podcastId, episodeId: id },
    });
  const action = (name: string, label: string, act: () => void): MenuAction => ({
    id: name,
    label,
    act,
  });
  const names = useStatusActionNames()(status);
  const actions = [
    action('edit', t`Edit`, () => void open(id)),
    ...(may?.analytics === true && status === 'published'
      ? [action('statistics', t`Statistics`, () => void showStatistics())]
      : []),
    ...(['publish', 'unpublish', 'archive'] as const)
      .filter((name) => mayDo(name, episode))
      .map((name) => action(name, names[name], change[name])),
    ...(may?.create_episodes === true
      ? [
          action('duplicate', t`Duplicate`, async () => {
            try {
              await open((await duplicateEpisode(id)).id);
            } catch (error) {
              showMessage({ text: String((error as Error).message) }, { stays: true });
            }
          }),
        ]
      : []),
    ...(may?.delete_episodes === true
      ? [{ ...action('delete', t`Delete`, () => deleteLater([episode])), isDangerous: true }]
      : []),
  ];
  return (
    <Menu
      label={t`Actions for ${title}`}
      trigger={<Ellipsis size={18} aria-hidden="true" />}
      actions={actions}
    />
  );
}

type State = Awaited<ReturnType<typeof changeStatus.archive>>;

/** Changes of an episode's status, each with a message that undoes it. */
function useStatusChange(episode: EpisodeListItem) {
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
    if (!(error instanceof ApiError)) return t`Something went wrong in the app.`;
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
