import { Trans, useLingui } from '@lingui/react/macro';
import { UsersRound } from 'lucide-react';
import { useCallback, useId, useMemo, useRef, useState } from 'react';
import type { Segment } from '../../api/recording.ts';
import { Button } from '../../components/button.tsx';
import { Checkbox } from '../../components/checkbox.tsx';
import type { Peaks } from '../draw-waveform.ts';
import type { Player } from '../player.ts';
import { usePlayerState } from '../use-player.ts';
import { Waveform } from '../waveform.tsx';
import { TranscriptSearch } from './search.tsx';
import { SegmentList, type SegmentListHandle } from './segment-list.tsx';
import { SpeakersDialog } from './speakers-dialog.tsx';
import styles from './transcript.module.css';
import {
  countSpeakers,
  type Edit,
  type Edits,
  editSegment,
  renameSpeaker,
  segmentAt,
} from './transcript-edits.ts';

interface Props {
  /** In order of time; the index of each is its place. */
  readonly segments: readonly Segment[];
  readonly edits: Edits;
  readonly onChange: (edits: Edits) => void;
  /** The person has left a field, which is a good moment to save. */
  readonly onLeave?: () => void;
  readonly isReadOnly?: boolean;
  /** False: the segments cannot be found in the audio. */
  readonly hasTimes: boolean;
  readonly peaks: Peaks | null;
  /** Undefined: there is no audio. */
  readonly player: Player | undefined;
}

/** The transcript beside the audio: a click on a word plays it, and every word can be corrected. */
export function TranscriptEditor(props: Props) {
  const { player, hasTimes } = props;
  if (player === undefined || !hasTimes) return <Words {...props} heard={-1} onHear={undefined} />;
  return <WithSound {...props} player={player} />;
}

function WithSound({ player, ...props }: Props & { readonly player: Player }) {
  const [playsWords, setPlaysWords] = useState(true);
  const heard = usePlayerState(player, ({ seconds, isPlaying }) =>
    isPlaying || seconds > 0 ? segmentAt(props.segments, seconds) : -1,
  );
  const hear = useCallback(
    (seconds: number) => {
      if (playsWords) player.play(seconds);
      else player.seek(seconds);
    },
    [player, playsWords],
  );
  return (
    <>
      <div className={styles['sound']}>
        <Waveform player={player} peaks={props.peaks} />
        <Checkbox isSelected={playsWords} onChange={setPlaysWords}>
          <Trans>Play where I click</Trans>
        </Checkbox>
      </div>
      <Words {...props} heard={heard} onHear={hear} />
    </>
  );
}

interface WordsProps extends Omit<Props, 'peaks' | 'player'> {
  readonly heard: number;
  readonly onHear: ((seconds: number) => void) | undefined;
}

const nothing = () => undefined;

function Words(props: WordsProps) {
  const { segments, edits, onChange, onLeave = nothing, isReadOnly = false } = props;
  const { hasTimes, heard, onHear } = props;
  const { t } = useLingui();
  const speakersId = useId();
  const list = useRef<SegmentListHandle>(null);
  const [found, setFound] = useState<number>();
  const [isRenaming, setRenaming] = useState(false);
  const speakers = useMemo(() => countSpeakers(segments, edits), [segments, edits]);
  // There are many rows, so their props stay the same and read the newest edits from here.
  const newest = useRef({ segments, edits, onChange, onLeave });
  newest.current = { segments, edits, onChange, onLeave };
  const edit = useCallback((index: number, change: Edit) => {
    const { segments: all, edits: before, onChange: report } = newest.current;
    const segment = all[index];
    if (segment !== undefined) report(editSegment(before, segment, change));
  }, []);
  const leave = useCallback(() => newest.current.onLeave(), []);
  return (
    <>
      <div className={styles['tools']}>
        <TranscriptSearch
          segments={segments}
          edits={edits}
          onFound={(index) => {
            setFound(index);
            if (index !== undefined) list.current?.show(index);
          }}
        />
        {!isReadOnly && (
          <Button onPress={() => setRenaming(true)}>
            <UsersRound size={16} aria-hidden="true" />
            {t`Speakers`}
          </Button>
        )}
      </div>
      <datalist id={speakersId}>
        {speakers.slice(0, 100).map(({ name }) => (
          <option key={name} value={name} />
        ))}
      </datalist>
      <SegmentList
        ref={list}
        segments={segments}
        edits={edits}
        heard={heard}
        followsSound
        found={found}
        isReadOnly={isReadOnly}
        hasTimes={hasTimes}
        speakersId={speakersId}
        onEdit={edit}
        onHear={onHear}
        onLeave={leave}
      />
      <SpeakersDialog
        isOpen={isRenaming}
        speakers={speakers}
        onClose={() => setRenaming(false)}
        onRename={(name, newName) => {
          const { edits: before } = newest.current;
          const next = renameSpeaker(before, segments, name, newName);
          newest.current = { ...newest.current, edits: next };
          onChange(next);
        }}
      />
    </>
  );
}
