import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { ArrowDown, ArrowUp, UsersRound } from 'lucide-react';
import { useCallback, useDeferredValue, useId, useMemo, useRef, useState } from 'react';
import { maxChars } from '../../../../server/src/lib/limits.ts';
import type { Segment } from '../../api/recording.ts';
import { Button } from '../../components/button.tsx';
import { Checkbox } from '../../components/checkbox.tsx';
import { Dialog } from '../../components/dialog.tsx';
import formStyles from '../../components/form.module.css';
import { SearchField } from '../../components/search-field.tsx';
import { TextField } from '../../components/text-field.tsx';
import { formatNumber } from '../../lib/format.ts';
import type { Peaks } from '../draw-waveform.ts';
import type { Player } from '../player.ts';
import { usePlayerState } from '../use-player.ts';
import { Waveform } from '../waveform.tsx';
import { SegmentList, type SegmentListHandle } from './segment-list.tsx';
import styles from './transcript.module.css';
import {
  countSpeakers,
  type Edit,
  type Edits,
  editSegment,
  findSegments,
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

interface SearchProps {
  readonly segments: readonly Segment[];
  readonly edits: Edits;
  /** Undefined: there is no search, or no result. */
  readonly onFound: (index: number | undefined) => void;
}

/** Searches words and speakers, and goes from one result to the next. */
function TranscriptSearch({ segments, edits, onFound }: SearchProps) {
  const { t } = useLingui();
  const [search, setSearch] = useState('');
  const [place, setPlace] = useState(0);
  const wanted = useDeferredValue(search);
  const found = useMemo(() => findSegments(segments, edits, wanted), [segments, edits, wanted]);
  const go = (to: number) => {
    const next = (to + found.length) % found.length;
    setPlace(next);
    onFound(found[next]);
  };
  const [now, all] = [formatNumber(place + 1), formatNumber(found.length)];
  return (
    <div className={styles['search']}>
      <SearchField
        label={t`Search the transcript`}
        value={search}
        onChange={(text) => {
          setSearch(text);
          setPlace(0);
          onFound(findSegments(segments, edits, text)[0]);
        }}
      />
      {wanted !== '' && (
        <>
          <span role="status" className="meta">
            {found.length === 0 ? (
              <Trans>No matches</Trans>
            ) : (
              <Trans>
                {now} of {all}
              </Trans>
            )}
          </span>
          <Button
            kind="quiet"
            size="icon"
            aria-label={t`Previous match`}
            isDisabled={found.length === 0}
            onPress={() => go(place - 1)}
          >
            <ArrowUp size={18} aria-hidden="true" />
          </Button>
          <Button
            kind="quiet"
            size="icon"
            aria-label={t`Next match`}
            isDisabled={found.length === 0}
            onPress={() => go(place + 1)}
          >
            <ArrowDown size={18} aria-hidden="true" />
          </Button>
        </>
      )}
    </div>
  );
}

interface Speaker {
  readonly name: string;
  readonly count: number;
}

interface SpeakersDialogProps {
  readonly isOpen: boolean;
  readonly speakers: readonly Speaker[];
  readonly onClose: () => void;
  readonly onRename: (name: string, newName: string) => void;
}

const maxShown = 100;

/** Renames a speaker everywhere; two speakers of one name become one. */
function SpeakersDialog({ isOpen, speakers, onClose, onRename }: SpeakersDialogProps) {
  const { t } = useLingui();
  const [names, setNames] = useState<Readonly<Record<string, string>>>({});
  const renamed = Object.entries(names).filter(([name, newName]) => name !== newName.trim());
  const close = () => {
    setNames({});
    onClose();
  };
  return (
    <Dialog isOpen={isOpen} title={t`Speakers`} onClose={close}>
      {speakers.length === 0 && (
        <p>
          <Trans>The transcript names no speakers.</Trans>
        </p>
      )}
      {speakers.slice(0, maxShown).map(({ name, count }) => (
        <TextField
          key={name}
          label={name}
          hint={<Plural value={count} one="# segment" other="# segments" />}
          value={names[name] ?? name}
          maxLength={maxChars.speaker}
          onChange={(newName) => setNames({ ...names, [name]: newName })}
        />
      ))}
      <div className={formStyles['actions']}>
        <Button
          kind="primary"
          isDisabled={renamed.length === 0}
          onPress={() => {
            for (const [name, newName] of renamed) onRename(name, newName.trim());
            close();
          }}
        >
          <Trans>Rename everywhere</Trans>
        </Button>
        <Button onPress={close}>
          <Trans>Cancel</Trans>
        </Button>
      </div>
    </Dialog>
  );
}
