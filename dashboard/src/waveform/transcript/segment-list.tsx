import { useLingui } from '@lingui/react/macro';
import { useVirtualizer } from '@tanstack/react-virtual';
import { type Ref, useEffect, useImperativeHandle, useRef } from 'react';
import type { Segment } from '../../api/recording.ts';
import { SegmentRow } from './segment-row.tsx';
import styles from './transcript.module.css';
import { applyEdit, type Edit, type Edits } from './transcript-edits.ts';

export interface SegmentListHandle {
  /** Shows a segment, and puts the cursor into its words. */
  show(index: number, options?: { readonly focus?: boolean }): void;
}

interface Props {
  readonly segments: readonly Segment[];
  readonly edits: Edits;
  /** The segment that is heard; -1 for none. */
  readonly heard: number;
  readonly followsSound: boolean;
  readonly found: number | undefined;
  readonly isReadOnly: boolean;
  readonly hasTimes: boolean;
  readonly speakersId: string;
  readonly onEdit: (index: number, edit: Edit) => void;
  readonly onHear: ((seconds: number) => void) | undefined;
  readonly onLeave: () => void;
  readonly ref: Ref<SegmentListHandle>;
}

const usualHeight = 76;

/** Only visible segments are in the page, because a transcript may have many thousands. */
export function SegmentList(props: Props) {
  const { segments, edits, heard, followsSound, found, ref, ...row } = props;
  const { t } = useLingui();
  const frame = useRef<HTMLDivElement>(null);
  const rows = useVirtualizer({
    count: segments.length,
    getScrollElement: () => frame.current,
    estimateSize: () => usualHeight,
    overscan: 6,
  });
  useImperativeHandle(ref, () => ({
    show(index, { focus = false } = {}) {
      rows.scrollToIndex(index, { align: 'center' });
      if (focus) focusWords(frame.current, index);
    },
  }));
  useEffect(() => {
    // While the person writes, the list does not scroll.
    const isWriting = frame.current?.contains(document.activeElement) === true;
    if (followsSound && heard >= 0 && !isWriting) rows.scrollToIndex(heard, { align: 'auto' });
  }, [followsSound, heard, rows]);
  return (
    <section ref={frame} className={styles['frame']} aria-label={t`Words of the transcript`}>
      <div className={styles['all']} style={{ height: rows.getTotalSize() }}>
        {rows.getVirtualItems().map(({ index, key, start }) => {
          const segment = segments[index] as Segment;
          const edit = edits.get(segment.index);
          return (
            <div
              key={key}
              ref={rows.measureElement}
              data-index={index}
              className={styles['place']}
              style={{ transform: `translateY(${start}px)` }}
            >
              <SegmentRow
                {...row}
                segment={applyEdit(segment, edit)}
                isChanged={edit !== undefined}
                isHeard={index === heard}
                isFound={segment.index === found}
              />
            </div>
          );
        })}
      </div>
    </section>
  );
}

/** A segment that was far away is in the page only after the next frame. */
function focusWords(frame: HTMLElement | null, index: number): void {
  requestAnimationFrame(() =>
    requestAnimationFrame(() => {
      const words = frame?.querySelector<HTMLElement>(`textarea[data-index="${index}"]`);
      words?.focus({ preventScroll: true });
    }),
  );
}
