import { useLingui } from '@lingui/react/macro';
import { type KeyboardEvent, type PointerEvent, useState } from 'react';
import { formatDuration } from '../../lib/format.ts';
import { type Row, roundTime } from './chapter.ts';
import styles from './chapters.module.css';

interface Props {
  readonly rows: readonly Row[];
  readonly duration: number;
  readonly selectedId: string | undefined;
  readonly onSelect: (id: string) => void;
  /** Moves of one kind in a row are undone at once. */
  readonly onMove: (id: string, seconds: number, kind?: string) => void;
}

/** More would cover the waveform; the list has them all. */
const maxMarkers = 300;

/** Where the chapters begin, on the waveform. */
export function Markers({ rows, duration, selectedId, onSelect, onMove }: Props) {
  return rows
    .slice(0, maxMarkers)
    .map((row) => (
      <Marker
        key={row.id}
        row={row}
        duration={duration}
        isSelected={row.id === selectedId}
        onSelect={() => onSelect(row.id)}
        onMove={(seconds, kind) => onMove(row.id, seconds, kind)}
      />
    ));
}

interface MarkerProps {
  readonly row: Row;
  readonly duration: number;
  readonly isSelected: boolean;
  readonly onSelect: () => void;
  readonly onMove: (seconds: number, kind?: string) => void;
}

function Marker({ row, duration, isSelected, onSelect, onMove }: MarkerProps) {
  const { t } = useLingui();
  const [dragged, setDragged] = useState<number>();
  const seconds = dragged ?? row.start_seconds;
  const timeAt = (event: PointerEvent<HTMLElement>) => {
    const picture = event.currentTarget.parentElement?.getBoundingClientRect();
    if (picture === undefined) return seconds;
    const share = (event.clientX - picture.left) / picture.width;
    return roundTime(Math.max(0, Math.min(1, share)) * duration);
  };
  const title = row.title || t`Without a title`;
  return (
    <div
      role="slider"
      tabIndex={0}
      className={styles['marker']}
      data-selected={isSelected || undefined}
      data-hidden={row.hidden || undefined}
      style={{ left: `${(100 * Math.min(seconds, duration)) / (duration || 1)}%` }}
      title={title}
      aria-label={t`Start of ${title}`}
      aria-valuemin={0}
      aria-valuemax={duration}
      aria-valuenow={seconds}
      aria-valuetext={formatDuration(seconds)}
      onFocus={onSelect}
      onPointerDown={(event) => {
        event.currentTarget.setPointerCapture(event.pointerId);
        event.currentTarget.focus();
      }}
      onPointerMove={(event) => {
        if (event.currentTarget.hasPointerCapture(event.pointerId)) setDragged(timeAt(event));
      }}
      onPointerUp={() => {
        if (dragged !== undefined) onMove(dragged);
        setDragged(undefined);
      }}
      onPointerCancel={() => setDragged(undefined)}
      onKeyDown={(event) => {
        const moved = moveByKey(event, row.start_seconds, duration);
        if (moved === undefined) return;
        event.preventDefault();
        onMove(moved, `move ${row.id}`);
      }}
    />
  );
}

const steps: Readonly<Record<string, number>> = {
  ArrowLeft: -1,
  ArrowDown: -1,
  ArrowRight: 1,
  ArrowUp: 1,
  PageDown: -10,
  PageUp: 10,
};

/** A second, with Shift a tenth of it. */
function moveByKey(event: KeyboardEvent, start: number, duration: number): number | undefined {
  const step = steps[event.key];
  if (step === undefined || event.ctrlKey || event.metaKey || event.altKey) return undefined;
  const by = event.shiftKey ? step / 10 : step;
  return roundTime(Math.min(duration, start + by));
}
