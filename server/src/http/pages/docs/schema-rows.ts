import {
  type ApiDocument,
  type ApiSchema,
  nameOfReference,
  type Ref,
  resolve,
} from './api-document.ts';

/** A field of a body and its depth; the body itself has depth 0. */
export interface FieldRow {
  readonly name: string;
  readonly depth: number;
  readonly type: string;
  readonly optional: boolean;
  /** In words; empty where there are none. */
  readonly bounds: string;
  readonly description: string;
}

/** All fields of an object, nested ones after their parent. Recursive schemas are only named. */
export function listFields(
  document: ApiDocument,
  part: Ref<ApiSchema>,
  depth = 0,
  within: readonly string[] = [],
): FieldRow[] {
  const name = nameOfReference(part);
  if (name !== undefined && within.includes(name)) return [];
  const inside = name === undefined ? within : [...within, name];
  const schema = resolve(document, part);
  const { items, anyOf = [], properties = {}, required = [] } = schema;
  if (items !== undefined) return listFields(document, items, depth, inside);
  if (anyOf.length > 0) return anyOf.flatMap((one) => listFields(document, one, depth, inside));
  return Object.entries(properties).flatMap(([field, value]) => [
    {
      name: field,
      depth,
      type: typeOf(document, value),
      optional: !required.includes(field),
      bounds: boundsOf(resolve(document, value)),
      description: resolve(document, value).description ?? '',
    },
    ...listFields(document, value, depth + 1, inside),
  ]);
}

/** A type as text: `string (uuid) or null`, `list of PublicEpisode`, `full, trailer or bonus`. */
export function typeOf(document: ApiDocument, part: Ref<ApiSchema>): string {
  const name = nameOfReference(part);
  if (name !== undefined) return name;
  const { type, anyOf, items, const: only, enum: values, format } = part as ApiSchema;
  if (anyOf !== undefined) return anyOf.map((one) => typeOf(document, one)).join(' or ');
  if (items !== undefined) return `list of ${typeOf(document, items)}`;
  if (only !== undefined) return JSON.stringify(only);
  if (values !== undefined) return values.map((value) => JSON.stringify(value)).join(', ');
  const types = typeof type === 'string' ? [type] : (type ?? ['anything']);
  return types
    .map((one) => (format !== undefined && one === 'string' ? `string (${format})` : one))
    .join(' or ');
}

/** Bounds as text, for parameters and request bodies: `1 to 50, default 20`. */
export function boundsOf(schema: ApiSchema): string {
  const { minimum, maximum, maxLength } = schema;
  const parts = [
    minimum !== undefined && maximum !== undefined && `${minimum} to ${maximum}`,
    minimum !== undefined && maximum === undefined && `at least ${minimum}`,
    maxLength !== undefined && `at most ${maxLength} characters`,
    schema.default !== undefined && `default ${JSON.stringify(schema.default)}`,
  ];
  return parts.filter((part) => part !== false).join(', ');
}
