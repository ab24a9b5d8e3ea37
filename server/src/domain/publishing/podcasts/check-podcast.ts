import { podcastFields } from '../../../lib/fields/podcast-fields.ts';
import { checkFields } from '../../foundation/check-fields.ts';
import type { ErrorDetail } from '../../foundation/errors.ts';
import { checkExtraElements } from './extra-element.ts';
import type { PodcastFields } from './podcast.ts';

/** Returns all validation errors, under the fields' names in seed files. */
export function checkPodcast(fields: Partial<PodcastFields>): ErrorDetail[] {
  const details = checkFields(podcastFields, fields);
  const message = fields.extraElements && checkExtraElements(fields.extraElements, 'channel');
  return message === undefined ? details : [...details, { field: 'extra_elements', message }];
}
