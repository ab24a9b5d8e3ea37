import { useLingui } from '@lingui/react/macro';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useMemo, useState } from 'react';
import {
  type Chapter,
  chaptersQuery,
  loadFileChapters,
  type EpisodeChapters as Saved,
  setChapters,
} from '../../api/recording.ts';
import { QueryView } from '../../components/query-view.tsx';
import type { Recording } from '../recording.ts';
import { SaveLine } from '../save-line.tsx';
import { Saver } from '../saver.ts';
import { toRow } from './chapter.ts';
import { ChaptersEditor } from './chapters-editor.tsx';
import { checkRows, isRefused } from './check-rows.ts';

interface Props {
  readonly recording: Recording;
}

/** The chapters of an episode, loaded and saved. */
export function EpisodeChapters({ recording }: Props) {
  const query = useQuery(chaptersQuery(recording.episodeId));
  return (
    <QueryView query={query}>
      {(saved) => (
        <Editing
          key={query.dataUpdatedAt}
          recording={recording}
          saved={saved}
          onReload={() => void query.refetch()}
        />
      )}
    </QueryView>
  );
}

interface EditingProps extends Props {
  readonly saved: Saved;
  readonly onReload: () => void;
}

const delayMs = 1200;

function Editing({ recording, saved, onReload }: EditingProps) {
  const { t } = useLingui();
  const { episodeId, isPublic, duration } = recording;
  const [chapters, setOwn] = useState<readonly Chapter[]>(saved.chapters);
  const saver = useChapterSaver(episodeId, saved.revision, isPublic);
  useEffect(() => () => void saver.save(), [saver]);
  return (
    <>
      <ChaptersEditor
        value={chapters}
        onChange={(next) => {
          setOwn(next);
          saver.change(next, !isWrong(next, duration));
        }}
        duration={duration}
        peaks={recording.peaks}
        audioUrl={recording.audioUrl}
        loadFileChapters={recording.hasFile ? () => loadFileChapters(episodeId) : undefined}
      />
      <SaveLine
        saver={saver}
        waits={isPublic}
        problem={
          isWrong(chapters, duration) ? t`Some chapters cannot be saved as they are.` : undefined
        }
        onReload={onReload}
      />
    </>
  );
}

function isWrong(chapters: readonly Chapter[], duration: number): boolean {
  return [...checkRows(chapters.map(toRow), duration).values()].flat().some(isRefused);
}

function useChapterSaver(episodeId: string, revision: number, waits: boolean) {
  const queries = useQueryClient();
  return useMemo(
    () =>
      new Saver<Chapter[]>({
        revision,
        field: 'chapters',
        delayMs: waits ? null : delayMs,
        save: async (chapters, expected) => {
          const { revision: next } = await setChapters(episodeId, expected, chapters);
          await queries.invalidateQueries({ queryKey: ['episode', episodeId], exact: true });
          return next;
        },
      }),
    [episodeId, revision, waits, queries],
  );
}
