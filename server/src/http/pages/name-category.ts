import categoryNames from './category-names.json' with { type: 'json' };
import { baseLanguageOf } from './page-language.ts';

const names: Readonly<Record<string, Readonly<Record<string, string>>>> = categoryNames;

/** A category of Apple's in the language of a page; in English if the pages don't speak that. */
export const nameCategory = (category: string, language: string): string =>
  names[category]?.[baseLanguageOf(language)] ?? category;
