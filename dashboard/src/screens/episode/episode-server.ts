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
import { ApiError } from '../../api/errors.ts';
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
import type { DraftServer, SaveResult } from '../../editor/draft-server.ts';
import { failureOf, refusalOf } from '../../editor/failed-request.ts';
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

/** The server for the save engine. */
export function createEpisodeServer(episodeId: string, queries: QueryClient): DraftServer {
  const parts = openParts(episodeId, queries);
  return {
    async load(fields) {
      try {
        return { kind: 'loaded', ...(await loadParts(parts, fields)) };
      } catch (error) {
        return failureOf(error);
      }
    },
    portionOf(patch) {
      const some = parts.map((part) => fieldsIn(part, patch)).find((names) => names.length > 0);
      return pick(patch, (some ?? []).slice(0, mostFields));
    },
    async save(patch, revision) {
      const [form, ...others] = parts;
      const part = others.find((one) => fieldsIn(one, patch).length > 0);
      try {
        const saved = await (part ?? form)?.save(patch, revision);
        if (saved === undefined) return { kind: 'gone' };
        const { queryKey } = episodeQuery(episodeId);
        if (part !== undefined) void queries.invalidateQueries({ queryKey, exact: true });
        return { kind: 'saved', ...saved };
      } catch (error) {
        return aboutFields(refusalOf(error)) ?? failureOf(error);
      }
    },
  };
}

/** The most segments that the server accepts in one request. */
const mostFields = 500;

function fieldsIn(part: EpisodePart, patch: Fields): string[] {
  return Object.keys(patch).filter((field) => part.has(field));
}

function pick(patch: Fields, names: readonly string[]): Fields {
  const wanted = new Set(names);
  return Object.fromEntries(Object.entries(patch).filter(([field]) => wanted.has(field)));
}

async function loadParts(
  [form, ...others]: readonly EpisodePart[],
  fields: readonly string[],
): Promise<ServerState> {
  const wanted = others.flatMap((part) => {
    const own = fields.filter((field) => part.has(field));
    return own.length === 0 ? [] : [loadPart(part, own)];
  });
  const loaded = await Promise.all([...(form === undefined ? [] : [form.load([])]), ...wanted]);
  return {
    // Parts of different revisions count as the oldest one, so newer values are never overwritten.
    revision: Math.min(...loaded.map(({ revision }) => revision)),
    fields: Object.assign({}, ...loaded.map((part) => part.fields)),
  };
}

/** Without its transcript, the episode still exists. */
async function loadPart(part: EpisodePart, fields: readonly string[]): Promise<ServerState> {
  try {
    return await part.load(fields);
  } catch (error) {
    if (!(error instanceof ApiError) || error.status !== 404) throw error;
    const nothing = Object.fromEntries(fields.map((field) => [field, null]));
    return { revision: Number.POSITIVE_INFINITY, fields: nothing };
  }
}

/** `chapters[3].title` is about the field `chapters`. */
function aboutFields(refusal: SaveResult | undefined): SaveResult | undefined {
  if (refusal?.kind !== 'refused') return refusal;
  const problems = Object.entries(refusal.problems).map(([field, message]) => {
    return [field.split('[', 1)[0] ?? field, message] as const;
  });
  return { ...refusal, problems: Object.fromEntries(problems) };
}

/**
 * Fields that are loaded with one request and saved with one request. Its functions throw an
 * ApiError.
 */
interface EpisodePart {
  has(field: string): boolean;
  load(fields: readonly string[]): Promise<ServerState>;
  save(patch: Fields, revision: number): Promise<ServerState>;
}

/** The form first, then the parts with addresses of their own. Loaded data is shown, too. */
function openParts(episodeId: string, queries: QueryClient): readonly EpisodePart[] {
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
