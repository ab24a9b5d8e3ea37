import type { Static } from 'typebox';
import type { ErrorDetail } from '../../../../domain/foundation/errors.ts';
import { checkEpisode, type EpisodeChanges } from '../../../../domain/publishing/episodes/index.ts';
import { domainNames } from '../../../../lib/wire-names.ts';
import type { UpdateEpisode } from '../../schemas/episodes.ts';

type Body = Partial<Static<typeof UpdateEpisode>>;

/** The fields of a body under the names of the domain; those left out are missing. */
export function readChanges({ episode_number: number, ...rest }: Body): EpisodeChanges {
  const changes = domainNames(rest);
  if (number === undefined) return changes;
  return { ...changes, ...(number === null ? { numberGiven: false } : { episodeNumber: number }) };
}

/** The domain names two fields as the command line does. */
const names: Readonly<Record<string, string>> = { episode: 'episode_number', type: 'episode_type' };

export function checkChanges(changes: EpisodeChanges): ErrorDetail[] {
  return checkEpisode(changes).map((detail) => ({
    ...detail,
    field: names[detail.field] ?? detail.field,
  }));
}
