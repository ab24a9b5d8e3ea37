import type { QueryClient } from '@tanstack/react-query';
import {
  type EpisodeChanges,
  type EpisodeDraft,
  type EpisodePeople,
  episodePeopleQuery,
  episodeQuery,
  loadEpisode,
  loadEpisodePeople,
  setEpisodePeople,
  updateEpisode,
} from '../../api/episode.ts';
import {
  type Chapter,
  chaptersQuery,
  type EpisodeChapters,
  type EpisodeTranscript,
  editTranscript,
  loadChapters,
  loadTranscript,
  setChapters,
  transcriptQuery,
} from '../../api/recording.ts';
import type { ServerState } from '../../editor/draft.ts';
import type { Fields } from '../../editor/fields.ts';
import {
  editsOf,
  fieldsOfSegments,
  readFields,
  tryReadField,
} from '../../waveform/transcript/segment-fields.ts';
import { toChanges } from '../../waveform/transcript/transcript-edits.ts';
import type { Credit } from './credit.ts';
import { stateOf } from './episode-fields.ts';

/**
 * Fields that are loaded with one request and saved with one request. Its functions throw an
 * ApiError.
 */
export interface EpisodePart {
  has(field: string): boolean;
  load(fields: readonly string[]): Promise<ServerState>;
  save(patch: Fields, revision: number): Promise<ServerState>;
}

/** The form first, then the parts with addresses of their own. Loaded data is shown, too. */
export function openParts(episodeId: string, queries: QueryClient): readonly EpisodePart[] {
  const parts = [
    chaptersOf(episodeId, queries),
    peopleOf(episodeId, queries),
    transcriptOf(episodeId, queries),
  ];
  return [formOf(episodeId, queries, parts), ...parts];
}

function formOf(
  episodeId: string,
  queries: QueryClient,
  others: readonly EpisodePart[],
): EpisodePart {
  const take = (episode: EpisodeDraft) => {
    queries.setQueryData(episodeQuery(episodeId).queryKey, episode);
    return stateOf(episode);
  };
  return {
    has: (field) => !others.some((part) => part.has(field)),
    load: async () => take(await loadEpisode(episodeId)),
    save: async (patch, revision) =>
      take(await updateEpisode(episodeId, revision, patch as EpisodeChanges)),
  };
}

function chaptersOf(episodeId: string, queries: QueryClient): EpisodePart {
  const { queryKey } = chaptersQuery(episodeId);
  const take = (loaded: EpisodeChapters) => {
    queries.setQueryData(queryKey, (old) => old && loaded);
    return { revision: loaded.revision, fields: { chapters: loaded.chapters } };
  };
  return {
    has: (field) => field === 'chapters',
    load: async () => take(await loadChapters(episodeId)),
    save: async ({ chapters }, revision) =>
      take(await setChapters(episodeId, revision, chapters as unknown as Chapter[])),
  };
}

function peopleOf(episodeId: string, queries: QueryClient): EpisodePart {
  const { queryKey } = episodePeopleQuery(episodeId);
  const take = (loaded: EpisodePeople) => {
    queries.setQueryData(queryKey, (old) => old && loaded);
    return { revision: loaded.revision, fields: { people: loaded.people } };
  };
  return {
    has: (field) => field === 'people',
    load: async () => take(await loadEpisodePeople(episodeId)),
    save: async ({ people }, revision) => {
      const credits = people as readonly Credit[];
      return take(await setEpisodePeople(episodeId, revision, { people: credits.map(toGiven) }));
    },
  };
}

/** The server names known people itself. */
const toGiven = ({ person_id, name, role, group }: Credit) =>
  person_id === undefined ? { name, role, group } : { person_id, role, group };

function transcriptOf(episodeId: string, queries: QueryClient): EpisodePart {
  const { queryKey } = transcriptQuery(episodeId);
  const take = (loaded: EpisodeTranscript, fields: readonly string[]) => {
    queries.setQueryData(queryKey, (old) => old && loaded);
    return { revision: loaded.revision, fields: readFields(loaded.segments, fields) };
  };
  return {
    has: (field) => tryReadField(field) !== undefined,
    load: async (fields) => take(await loadTranscript(episodeId), fields),
    save: async (patch, revision) => {
      const edited = await editTranscript(episodeId, revision, toChanges(editsOf(patch)));
      return { revision: edited.revision, fields: fieldsOfSegments(edited.segments) };
    },
  };
}
