import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { Minus, Plus } from 'lucide-react';
import { useState } from 'react';
import type { Acceptance, AudioReplacement, Chapter } from '../../api/recording.ts';
import { Button } from '../../components/button.tsx';
import { Checkbox } from '../../components/checkbox.tsx';
import { FailureText } from '../../components/failure-text.tsx';
import { Notice } from '../../components/notice.tsx';
import { formatDuration } from '../../lib/format.ts';
import type { Peaks } from '../draw-waveform.ts';
import { WaveformCanvas } from '../waveform-canvas.tsx';
import styles from './replacement.module.css';

interface Props {
  /** Compared: its state is not `waiting`. */
  readonly proposed: AudioReplacement;
  readonly oldPeaks: Peaks | null;
  readonly isPending: boolean;
  readonly error: unknown;
  readonly onAccept: (acceptance: Acceptance) => void;
  readonly onCancel: () => void;
}

/** The old and the new recording, what moves with the audio, and what would be lost. */
export function ReplacementReview(props: Props) {
  const { proposed, oldPeaks, isPending, error, onAccept, onCancel } = props;
  const { alignable, chapters, transcript } = proposed;
  const [movesChapters, setMovesChapters] = useState(alignable);
  const [movesTranscript, setMovesTranscript] = useState(alignable);
  const [before, after] = [
    formatDuration(proposed.old_duration_seconds),
    formatDuration(proposed.new_duration_seconds),
  ];
  return (
    <>
      {!alignable && <WhyNot state={proposed.state} />}
      <p className={styles['lengths']}>
        <Trans>
          Length: {before} before, {after} after.
        </Trans>
      </p>
      {alignable && (
        <>
          <MatchedWaveforms proposed={proposed} oldPeaks={oldPeaks} />
          <SpanList kind="removed" spans={proposed.removed} />
          <SpanList kind="added" spans={proposed.added} />
        </>
      )}
      {alignable && chapters.before.length > 0 && (
        <>
          <MovedChapters chapters={chapters} />
          <Checkbox isSelected={movesChapters} onChange={setMovesChapters}>
            <Trans>Move the chapters with the audio</Trans>
          </Checkbox>
        </>
      )}
      {alignable && transcript !== null && (
        <>
          <MovedTranscript transcript={transcript} />
          <Checkbox isSelected={movesTranscript} onChange={setMovesTranscript}>
            <Trans>Move the transcript with the audio</Trans>
          </Checkbox>
        </>
      )}
      {error !== null && (
        <Notice tone="bad">
          <FailureText error={error} />
        </Notice>
      )}
      <div className={styles['actions']}>
        <Button
          kind="primary"
          isPending={isPending}
          onPress={() =>
            onAccept({ move_chapters: movesChapters, move_transcript: movesTranscript })
          }
        >
          <Trans>Replace audio</Trans>
        </Button>
        <Button isPending={isPending} onPress={onCancel}>
          <Trans>Keep current audio</Trans>
        </Button>
      </div>
    </>
  );
}

function WhyNot({ state }: Pick<AudioReplacement, 'state'>) {
  return (
    <Notice tone="warn">
      {state === 'different' ? (
        <Trans>
          This looks like a different recording. The chapters and transcript keep their times, so
          they probably won’t fit.
        </Trans>
      ) : (
        <Trans>
          We couldn’t compare the two. Both must be MP3 files that can be decoded, and very long
          ones take too much time and memory. The chapters and transcript keep their times, so they
          may not fit.
        </Trans>
      )}
    </Notice>
  );
}

interface MatchedWaveformsProps {
  readonly proposed: AudioReplacement;
  readonly oldPeaks: Peaks | null;
}

/**
 * Both recordings on one scale; bands connect the matching parts. The lists below have the same as
 * text.
 */
function MatchedWaveforms({ proposed, oldPeaks }: MatchedWaveformsProps) {
  const { t } = useLingui();
  const { old_duration_seconds: old, new_duration_seconds: fresh } = proposed;
  const longest = Math.max(old, fresh, 1);
  const x = (seconds: number) => (1000 * seconds) / longest;
  return (
    <figure className={styles['figure']} dir="ltr">
      <figcaption className="unseen">{t`The old recording above, the new one below`}</figcaption>
      <div className={styles['recording']} style={{ width: `${(100 * old) / longest}%` }}>
        <WaveformCanvas peaks={oldPeaks} />
        <Spans spans={proposed.removed} duration={old} kind="removed" />
      </div>
      <svg
        className={styles['bands']}
        viewBox="0 0 1000 60"
        preserveAspectRatio="none"
        aria-hidden="true"
      >
        {proposed.segments.map(({ old_start, old_end, new_start }) => (
          <polygon
            key={old_start}
            points={[
              `${x(old_start)},0`,
              `${x(old_end)},0`,
              `${x(new_start + old_end - old_start)},60`,
              `${x(new_start)},60`,
            ].join(' ')}
          />
        ))}
      </svg>
      <div className={styles['recording']} style={{ width: `${(100 * fresh) / longest}%` }}>
        <WaveformCanvas peaks={proposed.peaks} />
        <Spans spans={proposed.added} duration={fresh} kind="added" />
      </div>
    </figure>
  );
}

interface SpansProps {
  readonly spans: AudioReplacement['removed'];
  readonly duration: number;
  readonly kind: 'removed' | 'added';
}

function Spans({ spans, duration, kind }: SpansProps) {
  return spans.map(({ start_seconds: start, end_seconds: end }) => (
    <span
      key={start}
      className={`${styles['span']} ${styles[kind]}`}
      style={{
        left: `${(100 * start) / (duration || 1)}%`,
        width: `${(100 * (end - start)) / (duration || 1)}%`,
      }}
    />
  ));
}

interface MovedChaptersProps {
  readonly chapters: AudioReplacement['chapters'];
}

interface Line {
  readonly key: string;
  readonly title: string;
  readonly before: number;
  /** Undefined: it is lost. */
  readonly after: number | undefined;
}

/** Every chapter with its time before and after, or that it is lost. */
function MovedChapters({ chapters }: MovedChaptersProps) {
  const { t } = useLingui();
  return (
    <div className={styles['moved']}>
      <h3>
        <Trans>Chapters</Trans>
      </h3>
      {chapters.lost.length > 0 && (
        <p className={styles['removedText']}>
          <Plural
            value={chapters.lost.length}
            one="One chapter will be deleted because its audio is gone."
            other="# chapters will be deleted because their audio is gone."
          />
        </p>
      )}
      <div className={styles['scroll']}>
        <table className={styles['table']}>
          <thead>
            <tr>
              <th scope="col">{t`Title`}</th>
              <th scope="col">{t`Before`}</th>
              <th scope="col">{t`After`}</th>
            </tr>
          </thead>
          <tbody>
            {linesOf(chapters).map(({ key, title, before, after }) => (
              <tr key={key} data-lost={after === undefined || undefined}>
                <th scope="row" dir="auto">
                  {title || t`Untitled`}
                </th>
                <td>{formatDuration(before)}</td>
                <td>{after === undefined ? t`deleted` : formatDuration(after)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </div>
  );
}

/**
 * Pairs the chapters before with those after: all lists have one order, and lost ones have no
 * partner.
 */
function linesOf({ before, after, lost }: MovedChaptersProps['chapters']): Line[] {
  let [moved, gone] = [0, 0];
  return before.map((chapter, index) => {
    const isLost = isSame(lost[gone], chapter);
    const next = isLost ? undefined : after[moved]?.start_seconds;
    if (isLost) gone += 1;
    else moved += 1;
    const { title, start_seconds } = chapter;
    return { key: `${index}`, title: title ?? '', before: start_seconds, after: next };
  });
}

function isSame(one: Chapter | undefined, other: Chapter): boolean {
  return one?.start_seconds === other.start_seconds && one.title === other.title;
}

interface MovedTranscriptProps {
  readonly transcript: NonNullable<AudioReplacement['transcript']>;
}

/** How much of the transcript moves, and the words that would be lost. */
function MovedTranscript({ transcript }: MovedTranscriptProps) {
  const { moved, shortened, lost_count: lostCount, lost } = transcript;
  return (
    <div className={styles['moved']}>
      <h3>
        <Trans>Transcript</Trans>
      </h3>
      <p>
        <Plural value={moved} one="# segment moves." other="# segments move." />{' '}
        {shortened > 0 && (
          <Plural
            value={shortened}
            one="# of them is partly cut: check its text."
            other="# of them are partly cut: check their text."
          />
        )}
      </p>
      {lostCount > 0 && (
        <details className={styles['removedText']} open={lost.length <= 10}>
          <summary>
            <Plural
              value={lostCount}
              one="# segment will be deleted because its audio is gone"
              other="# segments will be deleted because their audio is gone"
            />
          </summary>
          <ul className={styles['lost']}>
            {lost.map((segment) => (
              <li key={`${segment.start_seconds} ${segment.text}`} dir="auto">
                <span className="meta">{formatDuration(segment.start_seconds)}</span>{' '}
                {segment.speaker !== '' && <b>{segment.speaker}: </b>}
                {segment.text}
              </li>
            ))}
          </ul>
          {lostCount > lost.length && (
            <p className="meta">
              <Trans>Only the first ones are listed.</Trans>
            </p>
          )}
        </details>
      )}
    </div>
  );
}

interface SpanListProps {
  readonly kind: 'removed' | 'added';
  readonly spans: AudioReplacement['removed'];
}

const maxShown = 50;

/** The cut or the new parts, as text with times. */
function SpanList({ kind, spans }: SpanListProps) {
  if (spans.length === 0) return null;
  const Icon = kind === 'removed' ? Minus : Plus;
  return (
    <div className={`${styles['spans']} ${styles[`${kind}Text`]}`}>
      <h3>
        <Icon size={16} aria-hidden="true" />
        {kind === 'removed' ? (
          <Plural
            value={spans.length}
            one="One part of the old recording was removed"
            other="# parts of the old recording were removed"
          />
        ) : (
          <Plural
            value={spans.length}
            one="One part was added to the new recording"
            other="# parts were added to the new recording"
          />
        )}
      </h3>
      <ul>
        {spans.slice(0, maxShown).map((span) => (
          <li key={span.start_seconds}>
            <SpanText span={span} />
          </li>
        ))}
      </ul>
    </div>
  );
}

function SpanText({ span }: { readonly span: AudioReplacement['removed'][number] }) {
  const [from, to] = [formatDuration(span.start_seconds), formatDuration(span.end_seconds)];
  const length = formatDuration(span.end_seconds - span.start_seconds);
  return (
    <Trans>
      {from} to {to} (length {length})
    </Trans>
  );
}
