import { Trans, useLingui } from '@lingui/react/macro';
import type { Player } from '../player.ts';
import { changeRow, type Row } from './chapter.ts';
import { ChapterRow } from './chapter-row.tsx';
import styles from './chapters.module.css';
import type { Problem } from './check-rows.ts';

interface Props {
  readonly rows: readonly Row[];
  readonly problems: ReadonlyMap<string, Problem[]>;
  readonly selectedId: string | undefined;
  readonly onSelect: (id: string) => void;
  readonly onChange: (rows: readonly Row[], kind?: string) => void;
  readonly player: Player | undefined;
}

export function ChapterList(props: Props) {
  const { rows, problems, selectedId, onSelect, onChange, player } = props;
  const { t } = useLingui();
  if (rows.length === 0) {
    return (
      <p className="meta">
        <Trans>No chapters yet. Listeners can jump to each one in their app.</Trans>
      </p>
    );
  }
  return (
    <ol className={styles['list']} aria-label={t`Chapters`}>
      {rows.map((row) => (
        <ChapterRow
          key={row.id}
          row={row}
          problems={problems.get(row.id) ?? []}
          isSelected={row.id === selectedId}
          onSelect={() => onSelect(row.id)}
          onChange={(fields, kind) => onChange(changeRow(rows, row.id, fields), kind)}
          onRemove={() => onChange(rows.filter(({ id }) => id !== row.id))}
          onPlay={player && (() => player.play(row.start_seconds))}
        />
      ))}
    </ol>
  );
}
