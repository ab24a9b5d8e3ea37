import type { QueryClient } from '@tanstack/react-query';
import { episodeQuery } from '../../api/episode.ts';
import { ApiError } from '../../api/errors.ts';
import type { ServerState } from '../../editor/draft.ts';
import type { DraftServer, SaveResult } from '../../editor/draft-server.ts';
import { failureOf, refusalOf } from '../../editor/failed-request.ts';
import type { Fields } from '../../editor/fields.ts';
import { type EpisodePart, openParts } from './episode-parts.ts';

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
