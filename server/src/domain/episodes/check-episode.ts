import { isSlug } from '../../lib/slug.ts';
import type { ErrorDetail } from '../errors.ts';
import { checkExtraElements } from '../podcasts/index.ts';
import { type EpisodeFields, episodeTypes } from './episode.ts';

type Messages = { readonly [K in keyof EpisodeFields]?: readonly [field: string, message: string] };

const messages = {
  slug: [
    'slug',
    'A slug has 1 to 100 of a-z and 0-9 in groups joined by "-"; it is no UUID and not "latest".',
  ],
  title: ['title', 'A title has 1 to 500 characters.'],
  subtitle: ['subtitle', 'A subtitle has at most 1000 characters.'],
  description: ['description', 'A description has at most 100000 characters.'],
  season: ['season', 'A season must be a whole number from 0 to 9999.'],
  seasonName: ['season_name', 'The name of a season has 1 to 128 characters.'],
  episodeDisplay: ['episode_display', 'The number to display has 1 to 128 characters.'],
  itunesTitle: ['itunes_title', 'The title for Apple has 1 to 500 characters.'],
  episodeNumber: ['episode', 'An episode number must be a whole number from 0 to 1000000.'],
  episodeType: ['type', `A type must be one of ${episodeTypes.join(', ')}.`],
  linkUrl: ['link_url', 'This must be an http or https address of at most 2048 characters.'],
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
  const details = wrong.map((name) => ({ field: messages[name][0], message: messages[name][1] }));
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
