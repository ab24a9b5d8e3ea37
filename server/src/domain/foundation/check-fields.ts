import { isEmail } from '../../lib/email-address.ts';
import { isEnclosurePrefix, maxPrefixChars, maxPrefixes } from '../../lib/enclosure-prefixes.ts';
import {
  type Category,
  type Field,
  type FieldList,
  type Funding,
  seedNameOf,
} from '../../lib/fields/field.ts';
import { isLanguageTag } from '../../lib/language-tag.ts';
import { isSlug } from '../../lib/slug.ts';
import { isTimeZone } from '../../lib/time-zone.ts';
import { isWebUrl, maxUrlChars } from '../../lib/web-url.ts';
import type { ErrorDetail, SaidMessage } from './errors.ts';
import { sayRefusal } from './refusals.ts';

/** Of categories, and of pages for support. */
const maxListed = 50;

/**
 * Returns what is wrong with the given values, under their names in seed files and in their order. Only
 * bounds are checked here: the schemas of requests and seed files check types.
 */
export function checkFields(list: FieldList, values: object): ErrorDetail[] {
  return Object.entries(values).flatMap(([name, value]) => {
    const field = Object.hasOwn(list, name) ? list[name] : undefined;
    if (field === undefined || value == null) return [];
    const said = checkValue(field, value as never);
    return said === undefined ? [] : [{ field: seedNameOf(name, field), ...said }];
  });
}

function checkValue(field: Field, value: never): SaidMessage | undefined {
  switch (field.kind) {
    case 'text':
      return checkText(value, field);
    case 'number':
      return checkNumber(value, field);
    case 'choice':
      return checkChoice(value, field);
    case 'categories':
      return checkCategories(value);
    case 'funding':
      return checkFunding(value);
    case 'prefixes':
      return checkPrefixes(value);
    case 'arrangement':
      return checkArrangement(value, field);
    case 'html':
      return field.max === undefined ? undefined : checkText(value, { max: field.max });
    case 'flag':
      return undefined;
    default: {
      const [isValid, refusal] = forms[field.kind];
      return isValid(value) ? undefined : refusal;
    }
  }
}

function checkText(
  text: string,
  { min = 0, max }: { readonly min?: number; readonly max: number },
): SaidMessage | undefined {
  if (text.trim().length >= min && text.length <= max) return undefined;
  return min === 0 ? sayRefusal('max_length', { limit: max }) : sayRefusal('length', { min, max });
}

function checkNumber(number: number, { max }: { readonly max: number }): SaidMessage | undefined {
  const isWithin = Number.isInteger(number) && number >= 0 && number <= max;
  return isWithin ? undefined : sayRefusal('whole_number', { min: 0, max });
}

function checkChoice(
  word: string,
  { choices }: { readonly choices: readonly string[] },
): SaidMessage | undefined {
  return choices.includes(word) ? undefined : sayRefusal('one_of', { values: choices.join(', ') });
}

function checkCategories(listed: readonly Category[]): SaidMessage | undefined {
  const bounds = { min: 1, max: 100 };
  const isWrong = listed.some(
    ({ category, subcategory }) =>
      checkText(category, bounds) ??
      (subcategory === null ? undefined : checkText(subcategory, bounds)),
  );
  return isWrong || listed.length > maxListed
    ? sayRefusal('category_list', { max: maxListed })
    : undefined;
}

function checkFunding(listed: readonly Funding[]): SaidMessage | undefined {
  const isWrong = listed.some(
    ({ url, text }) => !isWebUrl(url) || (text !== null && text.length > 128),
  );
  return isWrong || listed.length > maxListed
    ? sayRefusal('funding_list', { max: maxListed })
    : undefined;
}

function checkPrefixes(listed: readonly string[]): SaidMessage | undefined {
  const isWrong = !listed.every(isEnclosurePrefix) || new Set(listed).size < listed.length;
  return isWrong || listed.length > maxPrefixes
    ? sayRefusal('prefix_list', { max: maxPrefixes, limit: maxPrefixChars })
    : undefined;
}

function checkArrangement(
  listed: readonly string[],
  { choices, always }: { readonly choices: readonly string[]; readonly always: string },
): SaidMessage | undefined {
  const isRight =
    listed.every((one) => choices.includes(one)) &&
    new Set(listed).size === listed.length &&
    listed.includes(always);
  return isRight
    ? undefined
    : sayRefusal('arrangement', { values: choices.join(', '), needed: always });
}

/** Texts of a form of their own, and what is said of others. */
const forms: Readonly<
  Record<
    'slug' | 'url' | 'color' | 'email' | 'language' | 'time zone' | 'medium',
    readonly [isValid: (text: string) => boolean, refusal: SaidMessage]
  >
> = {
  slug: [isSlug, sayRefusal('slug_form')],
  url: [isWebUrl, sayRefusal('http_address_length', { max: maxUrlChars })],
  color: [(text) => /^#[0-9a-f]{6}$/.test(text), sayRefusal('color')],
  email: [isEmail, sayRefusal('not_email')],
  language: [isLanguageTag, sayRefusal('language_tag')],
  'time zone': [isTimeZone, sayRefusal('time_zone')],
  // Any word, because the namespace's list may grow; `L` at the end: a list of that medium.
  medium: [(text) => /^[a-z]{1,30}L?$/.test(text), sayRefusal('medium')],
};
