import type { FieldValues } from '../../../lib/fields/field.ts';
import type { podcastFields } from '../../../lib/fields/podcast-fields.ts';
import type { PodcastStatus } from '../../foundation/enumerations.ts';
import type { ExtraElement } from './extra-element.ts';

const singleMediums = [
  'podcast',
  'music',
  'video',
  'film',
  'audiobook',
  'newsletter',
  'blog',
  'publisher',
  'course',
] as const;
/** The words of podcast:medium; with an `L` a list of that medium. A feed may bring others. */
export const mediums: readonly string[] = [
  ...singleMediums,
  'mixed',
  ...singleMediums.map((medium) => `${medium}L`),
];

/** The fields of a podcast that somebody sets: its members, and an import those that only a feed has. */
export interface PodcastFields extends FieldValues<typeof podcastFields> {
  readonly extraElements: readonly ExtraElement[];
}

export interface Podcast extends PodcastFields {
  readonly id: string;
  readonly accountId: string;
  readonly guid: string;
  readonly status: PodcastStatus;
  readonly artworkId: string | null;
  readonly createdAt: Date;
  /** Counts the changes of what members edit. */
  readonly revision: number;
}
