import type { ElementName } from '../../../../server/src/lib/fields/feed-elements.ts';
import { type Field, maxCharsOf } from '../../../../server/src/lib/fields/field.ts';
import { podcastFields } from '../../../../server/src/lib/fields/podcast-fields.ts';
import { type SnakeCase, wireName } from '../../../../server/src/lib/wire-names.ts';
import type { ShowChanges, ShowSettings } from '../../api/show-settings.ts';
import type { Fields, FieldValue } from '../../editor/fields.ts';

export type Category = ShowSettings['other_categories'][number];

type OfServer = Pick<ShowSettings, keyof ShowChanges & keyof ShowSettings>;

/**
 * The fields of forms. A category is a pair, so all of them are one field, the first one first. Feed
 * elements have a screen of their own.
 */
export type ShowFormFields = Omit<
  OfServer,
  'category' | 'subcategory' | 'other_categories' | SnakeCase<ElementName>
> & {
  readonly categories: readonly Category[];
};

export type FieldName = keyof ShowFormFields;

const apart = [
  'category',
  'subcategory',
  'other_categories',
  'hosting_type',
  'team_keys',
  'new_feed_url',
];

/** The names of all fields of forms. */
export const formFields = [
  ...Object.keys(podcastFields)
    .map(wireName)
    .filter((name) => !apart.includes(name)),
  'categories',
] as readonly FieldName[];

/** Those of the show's own page. */
export const pageFields = [
  'page_sections',
  'page_text',
  'page_theme',
  'brand_color',
] as const satisfies readonly FieldName[];

const fields: ReadonlyMap<string, Field> = new Map(
  Object.entries(podcastFields).map(([name, field]) => [wireName(name), field]),
);

/** Whether an empty text means no value. */
export const isOptional = (name: FieldName): boolean => fields.get(name)?.nullable === true;

export function maxLengthOf(name: FieldName): number | undefined {
  const field = fields.get(name);
  return field && maxCharsOf(field);
}

/** What the fields of a form are given. */
export interface ShowFields {
  /** The edited value, else the saved one. */
  value<N extends FieldName>(name: N): ShowFormFields[N];
  set(changes: Partial<ShowFormFields>): void;
  /** For a text that may be missing: an empty one is none. */
  text(name: FieldName): {
    value: string;
    onChange: (value: string) => void;
    problem?: string;
    maxLength?: number;
  };
  /** The server's messages about fields of its own. */
  problem(name: string): string | undefined;
}

export function fieldsOfShow(show: ShowSettings, names: readonly FieldName[]): Fields {
  return Object.fromEntries(
    names.map((name) => {
      return [name, (name === 'categories' ? categoriesOf(show) : show[name]) as FieldValue];
    }),
  );
}

function categoriesOf({ category, subcategory, other_categories: others }: ShowSettings) {
  return category === null ? others : [{ category, subcategory }, ...others];
}

/** The fields as the server expects them. */
export function changesOf({ categories, ...patch }: Partial<ShowFormFields>): ShowChanges {
  if (categories === undefined) return patch as ShowChanges;
  const [first = { category: null, subcategory: null }, ...others] = categories;
  return { ...(patch as ShowChanges), ...first, other_categories: others };
}

/** The field of the form that shows a problem of the server's field. */
export function fieldNamed(name: string): string {
  return /^(?:sub|other_)?categor(?:y|ies)\b/.test(name) ? 'categories' : name;
}
