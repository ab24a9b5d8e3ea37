import { isSlug } from '../../lib/slug.ts';
import type { ErrorDetail } from '../errors.ts';
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
  season: ['season', 'A season is a whole number from 0 to 9999.'],
  episodeNumber: ['episode', 'An episode number is a whole number from 0 to 1000000.'],
  episodeType: ['type', `A type is one of ${episodeTypes.join(', ')}.`],
  linkUrl: ['link_url', 'This is an http or https address of at most 2048 characters.'],
} as const satisfies Messages;

/** Every wrong field of those given, under its wire name. */
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
  if (episodeType !== undefined && !episodeTypes.includes(episodeType)) wrong.push('episodeType');
  if (linkUrl != null && !isHttpAddress(linkUrl)) wrong.push('linkUrl');
  return wrong.map((name) => ({ field: messages[name][0], message: messages[name][1] }));
}

function isWhole(value: number | null | undefined, max: number): boolean {
  return value == null || (Number.isInteger(value) && value >= 0 && value <= max);
}

function isHttpAddress(text: string): boolean {
  return text.length <= 2048 && /^https?:\/\//i.test(text) && URL.canParse(text);
}
