import { useLingui } from '@lingui/react/macro';
import { useVirtualizer } from '@tanstack/react-virtual';
import { memo, type Ref, useEffect, useImperativeHandle, useLayoutEffect, useRef } from 'react';
import { maxChars } from '../../../../server/src/lib/limits.ts';
import type { Segment } from '../../api/recording.ts';
import { formatDuration } from '../../lib/format.ts';
import styles from './transcript.module.css';
import { applyEdit, type Edit, type Edits, timeOfCharacter } from './transcript-edits.ts';

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
    <section ref={frame} className={styles['frame']} aria-label={t`Transcript text`}>
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

interface SegmentRowProps {
  /** With the person's changes. */
  readonly segment: Segment;
  readonly isChanged: boolean;
  readonly isHeard: boolean;
  readonly isFound: boolean;
  readonly isReadOnly: boolean;
  readonly hasTimes: boolean;
  readonly speakersId: string;
  readonly onEdit: (index: number, edit: Edit) => void;
  readonly onHear: ((seconds: number) => void) | undefined;
  readonly onLeave: () => void;
}

const SegmentRow = memo(function SegmentRow(props: SegmentRowProps) {
  const { segment, isChanged, isHeard, isFound, isReadOnly, hasTimes, speakersId } = props;
  const { onEdit, onHear, onLeave } = props;
  const { t } = useLingui();
  const time = formatDuration(segment.start_seconds);
  const number = segment.index + 1;
  const words = useRef<HTMLTextAreaElement>(null);
  useLayoutEffect(() => fitHeight(words.current, segment.text), [segment.text]);
  return (
    <div
      className={styles['segment']}
      data-heard={isHeard || undefined}
      data-found={isFound || undefined}
      data-changed={isChanged || undefined}
    >
      <div className={styles['about']}>
        {hasTimes && (
          <button
            type="button"
            className={styles['time']}
            aria-label={t`Play from ${time}`}
            disabled={onHear === undefined}
            onClick={() => onHear?.(segment.start_seconds)}
          >
            {time}
          </button>
        )}
        <input
          className={styles['speaker']}
          aria-label={hasTimes ? t`Speaker at ${time}` : t`Speaker of paragraph ${number}`}
          placeholder={t`No speaker`}
          dir="auto"
          list={speakersId}
          maxLength={maxChars.speaker}
          readOnly={isReadOnly}
          value={segment.speaker}
          title={segment.speaker}
          onChange={(event) => onEdit(segment.index, { speaker: event.target.value })}
          onBlur={onLeave}
        />
      </div>
      <textarea
        ref={words}
        className={styles['words']}
        aria-label={hasTimes ? t`Text at ${time}` : t`Text of paragraph ${number}`}
        aria-invalid={segment.text.trim() === ''}
        data-index={segment.index}
        dir="auto"
        rows={1}
        maxLength={maxChars.editedSegment}
        readOnly={isReadOnly}
        value={segment.text}
        onChange={(event) =>
          onEdit(segment.index, { text: event.target.value.replaceAll('\n', ' ') })
        }
        onClick={(event) => {
          const { selectionStart, selectionEnd } = event.currentTarget;
          if (selectionStart === selectionEnd) {
            onHear?.(timeOfCharacter(segment, segment.text, selectionStart));
          }
        }}
        onKeyDown={(event) => {
          // The words of a segment are one line.
          if (event.key === 'Enter') event.preventDefault();
        }}
        onBlur={onLeave}
      />
    </div>
  );
});

/** As high as its words; again when they change. */
function fitHeight(field: HTMLTextAreaElement | null, _text: string): void {
  if (field === null) return;
  field.style.height = 'auto';
  field.style.height = `${field.scrollHeight}px`;
}
