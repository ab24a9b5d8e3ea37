import { isSlug } from '../../../lib/slug.ts';
import { episodeTypes } from '../../foundation/enumerations.ts';
import type { ErrorDetail, SaidMessage } from '../../foundation/errors.ts';
import { sayRefusal } from '../../foundation/refusals.ts';
import { checkExtraElements } from '../podcasts/index.ts';
import type { EpisodeFields } from './episode.ts';

type Messages = {
  readonly [K in keyof EpisodeFields]?: readonly [field: string, said: SaidMessage];
};

const messages = {
  slug: ['slug', sayRefusal('slug_form')],
  title: ['title', sayRefusal('length', { min: 1, max: 500 })],
  subtitle: ['subtitle', sayRefusal('max_length', { limit: 1000 })],
  description: ['description', sayRefusal('max_length', { limit: 100_000 })],
  season: ['season', sayRefusal('whole_number', { min: 0, max: 9999 })],
  seasonName: ['season_name', sayRefusal('length', { min: 1, max: 128 })],
  episodeDisplay: ['episode_display', sayRefusal('length', { min: 1, max: 128 })],
  itunesTitle: ['itunes_title', sayRefusal('length', { min: 1, max: 500 })],
  episodeNumber: ['episode', sayRefusal('whole_number', { min: 0, max: 1_000_000 })],
  episodeType: ['type', sayRefusal('one_of', { values: episodeTypes.join(', ') })],
  linkUrl: ['link_url', sayRefusal('http_address_length', { max: 2048 })],
} as const satisfies Messages;

/** Returns all validation errors, under the fields' wire names. */
export function checkEpisode(fields: Partial<EpisodeFields>): ErrorDetail[] {
  const { slug, title, subtitle, description, season, episodeNumber, episodeType, linkUrl } =
    fields;
  const wrong: (keyof typeof messages)[] = [];
  if (slug !== undefined && !isSlug(slug)) wrong.push('slug');
  if (title !== undefined && (title.trim() === '' || title.length > 500)) wrong.push('title');
  if ((subtitle?.length ?? 0) > 1000) wrong.push('subtitle');
  if ((description?.length ?? 0) > 100_000) wrong.push('description');
  if (!isWhole(season, 9999)) wrong.push('season');
  if (!isWhole(episodeNumber, 1_000_000)) wrong.push('episodeNumber');
  for (const [name, max] of optionalTexts) {
    const value = fields[name];
    if (value != null && (value.trim() === '' || value.length > max)) wrong.push(name);
  }
  if (episodeType !== undefined && !episodeTypes.includes(episodeType)) wrong.push('episodeType');
  if (linkUrl != null && !isHttpAddress(linkUrl)) wrong.push('linkUrl');
  const details = wrong.map((name) => ({ field: messages[name][0], ...messages[name][1] }));
  const message = fields.extraElements && checkExtraElements(fields.extraElements, 'item');
  return message === undefined ? details : [...details, { field: 'extra_elements', message }];
}

const optionalTexts = [
  ['seasonName', 128],
  ['episodeDisplay', 128],
  ['itunesTitle', 500],
] as const;

function isWhole(value: number | null | undefined, max: number): boolean {
  return value == null || (Number.isInteger(value) && value >= 0 && value <= max);
}

function isHttpAddress(text: string): boolean {
  return text.length <= 2048 && /^https?:\/\//i.test(text) && URL.canParse(text);
}
