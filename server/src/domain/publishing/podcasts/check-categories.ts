import {
  type AppleCategory,
  appleCategories,
  tryParseAppleCategory,
} from '../../../lib/apple-categories.ts';
import { countEdits } from '../../../lib/count-edits.ts';
import type { Category } from '../../../lib/fields/field.ts';
import type { ErrorDetail } from '../../foundation/errors.ts';
import type { PodcastFields } from './podcast.ts';

type Categories = Pick<PodcastFields, 'category' | 'subcategory' | 'otherCategories'>;

// Longer names are not categories, and comparing them would only take time.
const maxNameLength = 100;

/**
 * Lists every name that is not exactly one of Apple's, with the nearest one. A category that was
 * imported stays, so only typed categories are checked.
 */
export function checkCategories(podcast: Categories): ErrorDetail[] {
  const { category, subcategory, otherCategories } = podcast;
  const problems = checkPair({ category, subcategory });
  for (const [index, other] of otherCategories.entries()) {
    for (const { field, message } of checkPair(other)) {
      problems.push({ field: `other_categories[${index}].${field}`, message });
    }
  }
  return problems;
}

function checkPair(given: Pick<Categories, 'category' | 'subcategory'> | Category): ErrorDetail[] {
  const { category, subcategory } = given;
  if (category === null) {
    if (subcategory === null) return [];
    return [
      { field: 'subcategory', message: `A subcategory requires its category.${hint(subcategory)}` },
    ];
  }
  const within = Object.hasOwn(appleCategories, category) ? appleCategories[category] : undefined;
  if (within === undefined)
    return [{ field: 'category', message: refuseCategory(category, subcategory) }];
  if (subcategory === null || within.includes(subcategory)) return [];
  return [{ field: 'subcategory', message: refuseSubcategory(category, subcategory, within) }];
}

function refuseCategory(category: string, subcategory: string | null): string {
  const refusal = `Apple Podcasts has no category ${quote(category)}.`;
  const meant =
    tryParseAppleCategory({ category, subcategory: subcategory ?? undefined }) ??
    tryParseAppleCategory({ category });
  if (meant !== undefined) return `${refusal} Did you mean ${nameOf(meant)}?`;
  const names = Object.keys(appleCategories);
  const near = nearest(category, names);
  if (near !== undefined) return `${refusal} Did you mean ${JSON.stringify(near)}?`;
  return `${refusal} Choose one of: ${names.join(', ')}.${hint(category)}`;
}

function refuseSubcategory(
  category: string,
  subcategory: string,
  within: readonly string[],
): string {
  const refusal = `${category} has no subcategory ${quote(subcategory)} on Apple Podcasts.`;
  const meant = tryParseAppleCategory({ category, subcategory });
  if (meant !== undefined) return `${refusal} Did you mean ${nameOf(meant)}?`;
  const near = nearest(subcategory, within);
  if (near !== undefined) return `${refusal} Did you mean ${JSON.stringify(near)}?`;
  const elsewhere = hint(subcategory);
  if (elsewhere !== '') return `${refusal}${elsewhere}`;
  const those = within.length === 0 ? 'It has none' : `Choose one of: ${within.join(', ')}`;
  return `${refusal} ${those}.`;
}

function quote(name: string): string {
  return JSON.stringify(name.slice(0, maxNameLength));
}

/** Of a name that is a subcategory, whose. */
function hint(name: string): string {
  const owner = Object.keys(appleCategories).find((category) =>
    appleCategories[category]?.includes(name),
  );
  return owner === undefined ? '' : ` ${name} is a subcategory of ${owner}.`;
}

function nameOf({ category, subcategory }: AppleCategory): string {
  const name = JSON.stringify(category);
  return subcategory === undefined
    ? name
    : `${name} with the subcategory ${JSON.stringify(subcategory)}`;
}

/** The most similar name; undefined if none is similar enough. */
function nearest(given: string, names: readonly string[]): string | undefined {
  if (given.length > maxNameLength) return undefined;
  const typed = given.toLowerCase();
  const [best] = names
    .map((name) => ({ name, edits: countEdits(typed, name.toLowerCase()) }))
    .sort((one, other) => one.edits - other.edits);
  return best !== undefined && best.edits <= best.name.length / 3 ? best.name : undefined;
}
