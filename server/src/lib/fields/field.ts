import { maxChars } from '../limits.ts';
import { type SnakeCase, wireName } from '../wire-names.ts';

/**
 * A field that members edit, as plain data. `podcast-fields.ts` and `episode-fields.ts` declare each
 * field once; the columns, checks and defaults, seed files, commands, the private API and the dashboard
 * are made from these lists.
 */
interface Described {
  /** What it means to listeners and apps, for the private API's document and docs/fields.md. */
  readonly about: string;
  /** Where the feed has it, for docs/fields.md: an element, or an attribute of one. */
  readonly feed?: string;
  /** The purpose of the `podcast:txt` element that has it, as true or false; for flags. */
  readonly txtPurpose?: string;
  /** Whether it may have no value, which is null. Then null is its default. */
  readonly nullable?: true;
  /** Its name in seed files and commands, if that is not the one on the wire. */
  readonly seedName?: string;
  /** What it is if nothing is given; a field with neither this nor `nullable` gets its value from the verb. */
  readonly default?: string | boolean | readonly string[];
}

export type Field = Described &
  (
    | { readonly kind: 'slug' | 'url' | 'color' | 'email' | 'language' | 'time zone' | 'medium' }
    /** Plain text of `min` to `max` characters; with `min`, not only spaces. */
    | { readonly kind: 'text'; readonly min?: number; readonly max: number }
    /** HTML that is sanitized before it is stored; `max` characters before and after. */
    | { readonly kind: 'html'; readonly max?: number }
    /** A whole number from 0. */
    | { readonly kind: 'number'; readonly max: number }
    | { readonly kind: 'flag' }
    | { readonly kind: 'choice'; readonly choices: readonly string[] }
    /** Some of the choices in an order, each at most once, and `always` among them. */
    | {
        readonly kind: 'arrangement';
        readonly choices: readonly string[];
        readonly always: string;
      }
    /** Those after the first, which has fields of its own. */
    | { readonly kind: 'categories' | 'funding' }
    /** URLs in front of the audio's (`enclosure-prefixes.ts`). */
    | { readonly kind: 'prefixes' }
  );

/** The most characters that somebody types into the field; undefined: only its value is checked. */
export function maxCharsOf(field: Field): number | undefined {
  switch (field.kind) {
    case 'text':
      return field.max;
    case 'number':
      return String(field.max).length;
    case 'slug':
      return maxChars.slug;
    default:
      return undefined;
  }
}

/** Fields by their names in the domain. */
export type FieldList = Readonly<Record<string, Field>>;

export interface Category {
  readonly category: string;
  readonly subcategory: string | null;
}

export interface Funding {
  readonly url: string;
  readonly text: string | null;
}

/** The type of a field's values. */
export type FieldValue<F extends Field> =
  | (F extends { readonly nullable: true } ? null : never)
  | (F['kind'] extends 'number'
      ? number
      : F['kind'] extends 'flag'
        ? boolean
        : F['kind'] extends 'categories'
          ? readonly Category[]
          : F['kind'] extends 'funding'
            ? readonly Funding[]
            : F['kind'] extends 'prefixes'
              ? readonly string[]
              : F extends { readonly choices: readonly (infer Choice)[] }
                ? F['kind'] extends 'arrangement'
                  ? readonly Choice[]
                  : Choice
                : string);

/** The values of all fields of a list. */
export type FieldValues<L extends FieldList> = { readonly [Name in keyof L]: FieldValue<L[Name]> };

/** The same, under the names on the wire. */
export type WireValues<L extends FieldList> = {
  readonly [Name in keyof L & string as SnakeCase<Name>]: FieldValue<L[Name]>;
};

type SeedNameOf<Name extends string, F extends Field> = F extends {
  readonly seedName: infer Other extends string;
}
  ? Other
  : SnakeCase<Name>;

/** The same, under the names in seed files. */
export type SeedValues<L extends FieldList> = {
  readonly [Name in keyof L & string as SeedNameOf<Name, L[Name]>]: FieldValue<L[Name]>;
};

/** The field's name in seed files and commands, and in messages about them. */
export function seedNameOf(name: string, field: Field): string {
  return field.seedName ?? wireName(name);
}

type DefaultValues<L extends FieldList> = {
  readonly [Name in keyof L as L[Name] extends
    | { readonly default: unknown }
    | { readonly nullable: true }
    ? Name
    : never]: FieldValue<L[Name]>;
};

/** The given values, and the defaults of the fields that are missing. Other names are left out. */
export function withDefaults<L extends FieldList>(
  list: L,
  given: Partial<FieldValues<L>>,
): Partial<FieldValues<L>> & DefaultValues<L> {
  const known = Object.entries(list).flatMap(([name, field]) => {
    const value = given[name] ?? field.default ?? (field.nullable === true ? null : undefined);
    return value === undefined ? [] : [[name, value]];
  });
  return Object.fromEntries(known) as Partial<FieldValues<L>> & DefaultValues<L>;
}
