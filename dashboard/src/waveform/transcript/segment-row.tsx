import { useLingui } from '@lingui/react/macro';
import { memo, useLayoutEffect, useRef } from 'react';
import type { Segment } from '../../api/recording.ts';
import { formatDuration } from '../../lib/format.ts';
import styles from './transcript.module.css';
import { type Edit, timeOfCharacter } from './transcript-edits.ts';

interface Props {
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

const maxText = 20_000;

export const SegmentRow = memo(function SegmentRow(props: Props) {
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
          placeholder={t`Nobody named`}
          dir="auto"
          list={speakersId}
          maxLength={200}
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
        aria-label={hasTimes ? t`Words at ${time}` : t`Words of paragraph ${number}`}
        aria-invalid={segment.text.trim() === ''}
        data-index={segment.index}
        dir="auto"
        rows={1}
        maxLength={maxText}
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
