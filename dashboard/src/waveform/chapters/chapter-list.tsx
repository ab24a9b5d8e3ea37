import { Trans, useLingui } from '@lingui/react/macro';
import { ChevronDown, ChevronUp, Play, Trash2 } from 'lucide-react';
import { useId, useState } from 'react';
import { maxChars } from '../../../../server/src/lib/limits.ts';
import { Button } from '../../components/button.tsx';
import { Checkbox } from '../../components/checkbox.tsx';
import { TextField } from '../../components/text-field.tsx';
import type { Player } from '../player.ts';
import { TimeField } from '../time-field.tsx';
import waveformStyles from '../waveform.module.css';
import { changeRow, type Fields, type Row } from './chapter.ts';
import styles from './chapters.module.css';
import { isRefused, type Problem } from './check-rows.ts';

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
        <Trans>
          No chapters yet. Chapters let listeners jump to a part of the episode in their app.
        </Trans>
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

interface ChapterRowProps {
  readonly row: Row;
  readonly problems: readonly Problem[];
  readonly isSelected: boolean;
  readonly onSelect: () => void;
  readonly onChange: (fields: Fields, kind?: string) => void;
  readonly onRemove: () => void;
  readonly onPlay: (() => void) | undefined;
}

function ChapterRow(props: ChapterRowProps) {
  const { row, isSelected, onSelect, onChange, onRemove, onPlay } = props;
  const { t } = useLingui();
  const [isOpen, setOpen] = useState(false);
  const [wasLeft, setLeft] = useState(false);
  // The person has just added it, and will write its title.
  const problems = row.isNew && !wasLeft ? [] : props.problems;
  const [problemsId, detailsId] = [useId(), useId()];
  const title = row.title ?? '';
  const name = title || t`Untitled`;
  return (
    <li
      data-chapter={row.id}
      className={styles['row']}
      data-selected={isSelected || undefined}
      onFocus={onSelect}
      onBlur={({ currentTarget, relatedTarget }) => {
        if (!currentTarget.contains(relatedTarget)) setLeft(true);
      }}
    >
      <div className={styles['fields']}>
        {onPlay !== undefined && (
          <Button kind="quiet" size="icon" aria-label={t`Play: ${name}`} onPress={onPlay}>
            <Play size={16} aria-hidden="true" />
          </Button>
        )}
        <div className={styles['start']}>
          <TimeField
            label={t`Start of ${name}`}
            seconds={row.start_seconds}
            isInvalid={problems.includes('after-end')}
            describedBy={problemsId}
            onChange={(seconds) => onChange({ start_seconds: seconds })}
          />
        </div>
        <input
          className={`${waveformStyles['input']} ${styles['title']}`}
          aria-label={t`Chapter title`}
          aria-invalid={problems.includes('no-title')}
          aria-describedby={problemsId}
          placeholder={t`Title`}
          dir="auto"
          maxLength={maxChars.chapterTitle}
          value={title}
          onChange={(event) => onChange({ title: event.target.value }, `title ${row.id}`)}
        />
        <Button
          kind="quiet"
          size="icon"
          aria-label={t`Link and picture: ${name}`}
          aria-expanded={isOpen}
          aria-controls={detailsId}
          onPress={() => setOpen(!isOpen)}
        >
          {isOpen ? (
            <ChevronUp size={18} aria-hidden="true" />
          ) : (
            <ChevronDown size={18} aria-hidden="true" />
          )}
        </Button>
        <Button kind="quiet" size="icon" aria-label={t`Remove: ${name}`} onPress={onRemove}>
          <Trash2 size={16} aria-hidden="true" />
        </Button>
      </div>
      <div id={problemsId}>
        {problems.map((problem) => (
          <ProblemText key={problem} problem={problem} />
        ))}
      </div>
      <div id={detailsId} hidden={!isOpen} className={styles['details']}>
        {isOpen && <Details row={row} problems={problems} onChange={onChange} />}
      </div>
    </li>
  );
}

function Details({
  row,
  problems,
  onChange,
}: Pick<ChapterRowProps, 'row' | 'problems' | 'onChange'>) {
  const { t } = useLingui();
  const address = t`The URL must start with https://`;
  return (
    <>
      <TextField
        label={t`Link`}
        type="url"
        value={row.link_url ?? ''}
        problem={problems.includes('bad-link') ? address : undefined}
        onChange={(text) => onChange({ link_url: text || null }, `link ${row.id}`)}
      />
      <TextField
        label={t`Picture URL`}
        type="url"
        value={row.image_url ?? ''}
        problem={problems.includes('bad-picture') ? address : undefined}
        onChange={(text) => onChange({ image_url: text || null }, `image ${row.id}`)}
      />
      <Checkbox isSelected={row.hidden} onChange={(isHidden) => onChange({ hidden: isHidden })}>
        <Trans>Don’t show it in the chapter list: it only changes the picture and the link.</Trans>
      </Checkbox>
    </>
  );
}

function ProblemText({ problem }: { readonly problem: Problem }) {
  return (
    <p className={isRefused(problem) ? waveformStyles['problem'] : styles['warning']}>
      {problem === 'no-title' && <Trans>A chapter needs a title, a picture or a link.</Trans>}
      {problem === 'bad-link' && <Trans>The link isn’t a valid URL.</Trans>}
      {problem === 'bad-picture' && <Trans>The picture URL isn’t valid.</Trans>}
      {(problem === 'after-end' || problem === 'after-stated-end') && (
        <Trans>It starts after the end of the audio.</Trans>
      )}
      {problem === 'same-time' && <Trans>Another chapter starts at the same time.</Trans>}
    </p>
  );
}
