import { Trans, useLingui } from '@lingui/react/macro';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useMemo, useRef, useState } from 'react';
import {
  editTranscript,
  type EpisodeTranscript as Saved,
  transcriptQuery,
} from '../../api/recording.ts';
import { QueryView } from '../../components/query-view.tsx';
import type { Recording } from '../recording.ts';
import { SaveLine } from '../save-line.tsx';
import { Saver } from '../saver.ts';
import { TranscriptEditor } from './transcript-editor.tsx';
import { applyEdit, type Edits, noEdits, toChanges } from './transcript-edits.ts';

interface Props {
  readonly recording: Recording;
  readonly isReadOnly?: boolean;
}

/** The transcript of an episode that has one, loaded and saved. */
export function EpisodeTranscript({ recording, isReadOnly = false }: Props) {
  const query = useQuery(transcriptQuery(recording.episodeId));
  return (
    <QueryView query={query}>
      {(saved) => (
        <Editing
          key={query.dataUpdatedAt}
          recording={recording}
          saved={saved}
          isReadOnly={isReadOnly}
          onReload={() => void query.refetch()}
        />
      )}
    </QueryView>
  );
}

interface EditingProps extends Required<Props> {
  readonly saved: Saved;
  readonly onReload: () => void;
}

function Editing({ recording, saved, isReadOnly, onReload }: EditingProps) {
  const { t } = useLingui();
  const [segments, setSegments] = useState(saved.segments);
  const [edits, setEdits] = useState<Edits>(noEdits);
  const newest = useRef(edits);
  const take = (next: Edits) => {
    newest.current = next;
    setEdits(next);
  };
  const saver = useTranscriptSaver(recording, saved.revision, (sent) => {
    // What was sent is what the server has; what one has typed since then stays an edit.
    setSegments((before) => before.map((segment) => applyEdit(segment, sent.get(segment.index))));
    const left = new Map([...newest.current].filter(([index, edit]) => sent.get(index) !== edit));
    take(left);
    return left;
  });
  useEffect(() => () => void saver.save(), [saver]);
  return (
    <>
      <TranscriptEditor
        segments={segments}
        edits={edits}
        onChange={(next) => {
          take(next);
          saver.change(next.size === 0 ? undefined : next, !hasEmpty(next));
        }}
        onLeave={() => {
          if (!recording.isPublic) void saver.save();
        }}
        isReadOnly={isReadOnly}
        duration={recording.duration}
        peaks={recording.peaks}
        audioUrl={recording.audioUrl}
      />
      {isReadOnly ? (
        <p className="meta">
          <Trans>You may read this transcript, and not change it.</Trans>
        </p>
      ) : (
        <SaveLine
          saver={saver}
          waits={recording.isPublic}
          problem={hasEmpty(edits) ? t`A segment without words cannot be saved.` : undefined}
          onReload={onReload}
        />
      )}
    </>
  );
}

function hasEmpty(edits: Edits): boolean {
  return [...edits.values()].some(({ text }) => text?.trim() === '');
}

const delayMs = 2500;
/** The server takes so many at once. */
const changesPerRequest = 500;

function useTranscriptSaver(
  { episodeId, isPublic }: Recording,
  revision: number,
  onSaved: (sent: Edits) => Edits,
) {
  const queries = useQueryClient();
  const saved = useRef(onSaved);
  saved.current = onSaved;
  return useMemo(() => {
    const saver: Saver<Edits> = new Saver<Edits>({
      revision,
      field: 'transcript',
      delayMs: isPublic ? null : delayMs,
      save: async (edits, expected) => {
        const some = new Map([...edits].slice(0, changesPerRequest));
        const next = await editTranscript(episodeId, expected, toChanges(some));
        const left = saved.current(some);
        saver.change(left.size === 0 ? undefined : left, !hasEmpty(left));
        await queries.invalidateQueries({ queryKey: ['episode', episodeId], exact: true });
        return next;
      },
    });
    return saver;
  }, [episodeId, revision, isPublic, queries]);
}
