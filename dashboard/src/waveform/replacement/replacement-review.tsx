import { Trans } from '@lingui/react/macro';
import { useState } from 'react';
import type { Acceptance, AudioReplacement } from '../../api/recording.ts';
import { Button } from '../../components/button.tsx';
import { Checkbox } from '../../components/checkbox.tsx';
import { FailureText } from '../../components/failure-text.tsx';
import { Notice } from '../../components/notice.tsx';
import { formatDuration } from '../../lib/format.ts';
import type { Peaks } from '../draw-waveform.ts';
import { MatchedWaveforms } from './matched-waveforms.tsx';
import { MovedChapters } from './moved-chapters.tsx';
import { MovedTranscript } from './moved-transcript.tsx';
import styles from './replacement.module.css';
import { SpanList } from './span-list.tsx';

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
          <Trans>Replace the audio</Trans>
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
          This looks like a different recording. Chapters and transcript keep their times, and
          probably won’t fit.
        </Trans>
      ) : (
        <Trans>
          We couldn’t compare the two. Both must be MP3 files that can be decoded, and very long
          ones take too much time and memory. Chapters and transcript keep their times, and may not
          fit.
        </Trans>
      )}
    </Notice>
  );
}
