import { episodeFields } from '../../../../server/src/lib/fields/episode-fields.ts';
import { maxCharsOf, type WireValues } from '../../../../server/src/lib/fields/field.ts';
import { wireName } from '../../../../server/src/lib/wire-names.ts';
import type { EpisodeDraft } from '../../api/episode.ts';
import type { ServerState } from '../../editor/draft.ts';

type Listed = WireValues<typeof episodeFields>;

/** The fields of the form, under the names of the API. */
export interface EpisodeFields extends Omit<Listed, 'episode_number'> {
  /** Null: the episode has no number. */
  readonly episode_number: number | null;
}

export type FieldName = keyof EpisodeFields;

const names = Object.keys(episodeFields).map(wireName) as (keyof Listed)[];

const maxLengths: ReadonlyMap<string, number | undefined> = new Map(
  Object.entries(episodeFields).map(([name, field]) => [wireName(name), maxCharsOf(field)]),
);

/** Undefined: the field is not a text, or its form states no limit. */
export const maxLengthOf = (name: FieldName): number | undefined => maxLengths.get(name);

function fieldsOf(episode: EpisodeDraft): EpisodeFields {
  const fields = Object.fromEntries(
    names.map((name) => [name, episode[name]]),
  ) as unknown as Listed;
  return { ...fields, episode_number: episode.number_given ? episode.episode_number : null };
}

export function stateOf(episode: EpisodeDraft): ServerState {
  return { revision: episode.revision, fields: { ...fieldsOf(episode) } };
}

/** In these statuses the public sees changes at once, so the person decides when to save. */
export const isPublic = ({ status }: Pick<EpisodeDraft, 'status'>): boolean =>
  status === 'published';
