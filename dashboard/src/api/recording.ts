import { queryOptions } from '@tanstack/react-query';
import { api, dataOf } from './client.ts';
import type { components } from './schema.d.ts';

/** The audio of an episode with its chapters and its transcript. */

export type Chapter = components['schemas']['EpisodeChapters']['chapters'][number];
export type EpisodeChapters = components['schemas']['EpisodeChapters'];
export type EpisodeTranscript = components['schemas']['EpisodeTranscript'];
export type Segment = EpisodeTranscript['segments'][number];
export type AudioReplacement = components['schemas']['AudioReplacement'];

export interface SegmentChange {
  readonly index: number;
  readonly text?: string;
  readonly speaker?: string;
}

const at = (episodeId: string) => ({ params: { path: { episodeId } } });
const of = (episodeId: string, revision: number) => ({
  ...at(episodeId),
  headers: { 'If-Match': `"${revision}"` },
});

/**
 * Data in an editor: it is never replaced while the editor is open, and loaded anew when it opens.
 */
const forEditing = {
  staleTime: Number.POSITIVE_INFINITY,
  gcTime: 0,
  meta: { isEdited: true },
};

export const loadChapters = (episodeId: string, signal?: AbortSignal) =>
  dataOf(
    api.GET('/app/api/episodes/{episodeId}/chapters', {
      ...at(episodeId),
      ...(signal && { signal }),
    }),
  );

export const chaptersQuery = (episodeId: string) =>
  queryOptions({
    queryKey: ['episode', episodeId, 'chapters'],
    queryFn: ({ signal }) => loadChapters(episodeId, signal),
    ...forEditing,
  });

export const setChapters = (episodeId: string, revision: number, chapters: Chapter[]) =>
  dataOf(
    api.PUT('/app/api/episodes/{episodeId}/chapters', {
      ...of(episodeId, revision),
      body: { chapters },
    }),
  );

export const loadFileChapters = async (episodeId: string) => {
  const path = '/app/api/episodes/{episodeId}/audio/file-chapters';
  return (await dataOf(api.GET(path, at(episodeId)))).chapters;
};

export const loadTranscript = (episodeId: string, signal?: AbortSignal) =>
  dataOf(
    api.GET('/app/api/episodes/{episodeId}/transcript', {
      ...at(episodeId),
      ...(signal && { signal }),
    }),
  );

export const transcriptQuery = (episodeId: string) =>
  queryOptions({
    queryKey: ['episode', episodeId, 'transcript'],
    queryFn: ({ signal }) => loadTranscript(episodeId, signal),
    ...forEditing,
  });

export const editTranscript = (
  episodeId: string,
  revision: number,
  changes: readonly SegmentChange[],
) => {
  const body = { changes: [...changes] };
  const path = '/app/api/episodes/{episodeId}/transcript';
  return dataOf(api.PATCH(path, { ...of(episodeId, revision), body }));
};

const replacementPath = '/app/api/episodes/{episodeId}/audio/replacement';

const comparingMs = 1500;

/** Null: none is proposed. Repeated while the recordings are compared. */
export const replacementQuery = (episodeId: string) =>
  queryOptions({
    queryKey: ['episode', episodeId, 'replacement'],
    queryFn: ({ signal }) => dataOf(api.GET(replacementPath, { ...at(episodeId), signal })),
    refetchInterval: ({ state }) => (state.data?.state === 'waiting' ? comparingMs : false),
  });

/** Has an uploaded file compared with the audio of the episode. */
export const proposeReplacement = (
  episodeId: string,
  body: { upload_id: string; sha256?: string },
) => dataOf(api.POST(replacementPath, { ...at(episodeId), body }));

export interface Acceptance {
  readonly move_chapters: boolean;
  readonly move_transcript: boolean;
}

export const acceptReplacement = (
  { id, episode_id: episodeId, revision }: AudioReplacement,
  body: Acceptance,
) =>
  dataOf(
    api.POST(`${replacementPath}/{replacementId}/accept`, {
      params: { path: { episodeId, replacementId: id } },
      headers: { 'If-Match': `"${revision}"` },
      body,
    }),
  );

export const cancelReplacement = ({ id, episode_id: episodeId }: AudioReplacement) =>
  api.DELETE(`${replacementPath}/{replacementId}`, {
    params: { path: { episodeId, replacementId: id } },
  });
