import { Trans, useLingui } from '@lingui/react/macro';
import { useWindowVirtualizer } from '@tanstack/react-virtual';
import { type Dispatch, type SetStateAction, useCallback, useEffect, useRef } from 'react';
import type { EpisodeListItem } from '../../api/episodes.ts';
import { EpisodeRow } from './episode-row.tsx';
import styles from './episodes.module.css';

interface Props {
  readonly episodes: readonly EpisodeListItem[];
  readonly selected: ReadonlySet<string>;
  readonly onSelect: Dispatch<SetStateAction<ReadonlySet<string>>>;
  /** The show's time zone; undefined while it loads. */
  readonly zone: string | undefined;
  readonly may: (capability: string) => boolean;
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
              aria-label={t`Select all that are loaded`}
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
      <td colSpan={7} style={{ height, padding: 0 }} />
    </tr>
  );
}
