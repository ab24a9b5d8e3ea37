import { episodeFields } from '../../../lib/fields/episode-fields.ts';
import { checkFields } from '../../foundation/check-fields.ts';
import type { ErrorDetail } from '../../foundation/errors.ts';
import { checkExtraElements } from '../podcasts/index.ts';
import type { EpisodeFields } from './episode.ts';

/** Returns all validation errors, under the fields' names in seed files. */
export function checkEpisode(fields: Partial<EpisodeFields>): ErrorDetail[] {
  const details = checkFields(episodeFields, fields);
  const message = fields.extraElements && checkExtraElements(fields.extraElements, 'item');
  return message === undefined ? details : [...details, { field: 'extra_elements', message }];
}
