import { isEmail } from '../../../lib/email-address.ts';
import { isLanguageTag } from '../../../lib/language-tag.ts';
import { isSlug } from '../../../lib/slug.ts';
import { wireName } from '../../../lib/wire-names.ts';
import { hostingTypes, playerThemes, showTypes } from '../../foundation/enumerations.ts';
import type { ErrorDetail, SaidMessage } from '../../foundation/errors.ts';
import { sayRefusal } from '../../foundation/refusals.ts';
import { checkExtraElements, type ExtraElement } from './extra-element.ts';
import type { Category, Funding, PodcastFields } from './podcast.ts';

type Check = (value: never) => SaidMessage | undefined;

const text = (min: number, max: number) => (value: string | null) =>
  value === null || (value.trim().length >= min && value.length <= max)
    ? undefined
    : sayRefusal('length', { min, max });

const httpAddress = (value: string | null) => {
  if (value === null) return undefined;
  const url = URL.canParse(value) ? new URL(value) : undefined;
  const fits = url !== undefined && /^https?:$/.test(url.protocol) && value.length <= 2048;
  return fits ? undefined : sayRefusal('http_address_length', { max: 2048 });
};

const color = (value: string | null) =>
  value === null || /^#[0-9a-f]{6}$/.test(value) ? undefined : sayRefusal('color');

const oneOf = (values: readonly string[]) => (value: string) =>
  values.includes(value) ? undefined : sayRefusal('one_of', { values: values.join(', ') });

const language = (value: string) => (isLanguageTag(value) ? undefined : sayRefusal('language_tag'));

const maxListed = 50;

const otherCategories = (value: readonly Category[]) => {
  const wrong = value.some(
    ({ category, subcategory }) => text(1, 100)(category) ?? text(1, 100)(subcategory),
  );
  return wrong || value.length > maxListed
    ? sayRefusal('category_list', { max: maxListed })
    : undefined;
};

const otherFunding = (value: readonly Funding[]) => {
  const wrong = value.some(({ url, text: words }) => httpAddress(url) ?? text(0, 128)(words));
  return wrong || value.length > maxListed
    ? sayRefusal('funding_list', { max: maxListed })
    : undefined;
};

/** Any word, because the namespace's list may grow; `L` at the end: a list of that medium. */
const medium = (value: string) =>
  /^[a-z]{1,30}L?$/.test(value) ? undefined : sayRefusal('medium');

const timezone = (value: string) => {
  try {
    new Intl.DateTimeFormat('en', { timeZone: value });
    return undefined;
  } catch {
    return sayRefusal('time_zone');
  }
};

const checks: { readonly [K in keyof PodcastFields]?: Check } = {
  slug: (value: string) => (isSlug(value) ? undefined : sayRefusal('slug_form')),
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
    value === null || isEmail(value) ? undefined : sayRefusal('not_email'),
  fundingUrl: httpAddress,
  fundingText: text(0, 128),
  otherFunding,
  medium,
  extraElements(value: readonly ExtraElement[]) {
    const message = checkExtraElements(value, 'channel');
    return message === undefined ? undefined : { message };
  },
  brandColor: color,
  playerColor: color,
  playerTheme: oneOf(playerThemes),
  timezone,
  newFeedUrl: httpAddress,
  hostingType: oneOf(hostingTypes),
};

/** Every wrong field of the given ones, under its wire name. */
export function checkPodcast(fields: Partial<PodcastFields>): ErrorDetail[] {
  return Object.entries(fields).flatMap(([name, value]) => {
    const check = checks[name as keyof PodcastFields] as
      | ((v: unknown) => SaidMessage | undefined)
      | undefined;
    const said = value === undefined ? undefined : check?.(value);
    return said === undefined ? [] : [{ field: wireName(name), ...said }];
  });
}
