import { isEmail } from '../../lib/email-address.ts';
import { isLanguageTag } from '../../lib/language-tag.ts';
import { isSlug } from '../../lib/slug.ts';
import type { ErrorDetail } from '../errors.ts';
import { checkExtraElements, type ExtraElement } from './extra-element.ts';
import {
  type Category,
  type Funding,
  hostingTypes,
  type PodcastFields,
  playerThemes,
  showTypes,
} from './podcast.ts';

type Check = (value: never) => string | undefined;

const text = (min: number, max: number) => (value: string | null) =>
  value === null || (value.trim().length >= min && value.length <= max)
    ? undefined
    : `This must have ${min} to ${max} characters.`;

const httpAddress = (value: string | null) => {
  if (value === null) return undefined;
  const url = URL.canParse(value) ? new URL(value) : undefined;
  const fits = url !== undefined && /^https?:$/.test(url.protocol) && value.length <= 2048;
  return fits ? undefined : 'This must be an http or https address of at most 2048 characters.';
};

const color = (value: string | null) =>
  value === null || /^#[0-9a-f]{6}$/.test(value)
    ? undefined
    : 'A color must be written as #rrggbb.';

const oneOf = (values: readonly string[]) => (value: string) =>
  values.includes(value) ? undefined : `This must be one of ${values.join(', ')}.`;

const language = (value: string) =>
  isLanguageTag(value) ? undefined : 'A language is written as in BCP 47, such as en or de-AT.';

const maxListed = 50;

const otherCategories = (value: readonly Category[]) => {
  const wrong = value.some(
    ({ category, subcategory }) => text(1, 100)(category) ?? text(1, 100)(subcategory),
  );
  return wrong || value.length > maxListed
    ? `Give at most ${maxListed} categories, each with names of 1 to 100 characters.`
    : undefined;
};

const otherFunding = (value: readonly Funding[]) => {
  const wrong = value.some(({ url, text: words }) => httpAddress(url) ?? text(0, 128)(words));
  return wrong || value.length > maxListed
    ? `Give at most ${maxListed} web addresses, each with a text of at most 128 characters.`
    : undefined;
};

/** Words of the namespace's list, and those to come; `L` at the end: a list of that medium. */
const medium = (value: string) =>
  /^[a-z]{1,30}L?$/.test(value) ? undefined : 'A medium is a word such as podcast or music.';

const timezone = (value: string) => {
  try {
    new Intl.DateTimeFormat('en', { timeZone: value });
    return undefined;
  } catch {
    return 'A time zone has its IANA name, such as Europe/Berlin.';
  }
};

const checks: { readonly [K in keyof PodcastFields]?: Check } = {
  slug: (value: string) =>
    isSlug(value)
      ? undefined
      : 'A slug has 1 to 100 of a-z and 0-9 in groups joined by "-"; it is no UUID and not "latest".',
  title: text(1, 500),
  subtitle: text(0, 1000),
  author: text(1, 300),
  description: text(0, 20_000),
  language,
  category: text(1, 100),
  subcategory: text(1, 100),
  otherCategories,
  showType: oneOf(showTypes),
  copyright: text(0, 500),
  websiteUrl: httpAddress,
  ownerName: text(1, 300),
  ownerEmail: (value: string | null) =>
    value === null || isEmail(value) ? undefined : 'This is not an e-mail address.',
  fundingUrl: httpAddress,
  fundingText: text(0, 128),
  otherFunding,
  medium,
  extraElements: (value: readonly ExtraElement[]) => checkExtraElements(value, 'channel'),
  brandColor: color,
  playerColor: color,
  playerTheme: oneOf(playerThemes),
  timezone,
  newFeedUrl: httpAddress,
  hostingType: oneOf(hostingTypes),
};

/** Every wrong field of those given, under its wire name. */
export function checkPodcast(fields: Partial<PodcastFields>): ErrorDetail[] {
  return Object.entries(fields).flatMap(([name, value]) => {
    const check = checks[name as keyof PodcastFields] as
      | ((v: unknown) => string | undefined)
      | undefined;
    const message = value === undefined ? undefined : check?.(value);
    return message === undefined ? [] : [{ field: wireName(name), message }];
  });
}

/** The API, seed files and the command line all write snake_case. */
function wireName(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
