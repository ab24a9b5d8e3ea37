import type { FieldList } from '../../../lib/fields/field.ts';
import type { ExtraElement } from './extra-element.ts';

/**
 * The `podcast:txt` elements of the fields that have one, and the elements that are only passed on. A
 * field without a value leaves an element of its purpose as it is.
 */
export function writeTxtFields(
  list: FieldList,
  values: object,
  passedOn: readonly ExtraElement[],
): ExtraElement[] {
  const given = new Map<string, unknown>(Object.entries(values));
  const written = Object.entries(list).flatMap(([name, { txtPurpose }]) => {
    const value = given.get(name);
    return txtPurpose === undefined || value == null ? [] : [txtElement(txtPurpose, String(value))];
  });
  const purposes = new Set(written.map(purposeOf));
  const isOther = (element: ExtraElement) => {
    const purpose = purposeOf(element);
    return purpose === undefined || !purposes.has(purpose);
  };
  return [...written, ...passedOn.filter(isOther)];
}

/**
 * Finds the fields that the elements of a feed have: of several elements, the first that can be read
 * gives the value, and the others are dropped. All other elements are only passed on.
 */
export function readTxtFields(
  list: FieldList,
  elements: readonly ExtraElement[],
): { readonly values: Readonly<Record<string, boolean>>; readonly others: ExtraElement[] } {
  const names = new Map(
    Object.entries(list).flatMap(([name, { txtPurpose }]) =>
      txtPurpose === undefined ? [] : [[txtPurpose, name] as const],
    ),
  );
  const fieldOf = (element: ExtraElement) => names.get(purposeOf(element) ?? '');
  const values: Record<string, boolean> = {};
  for (const element of elements) {
    const name = fieldOf(element);
    const value = flags.get(element.text.toLowerCase());
    if (name !== undefined && value !== undefined) values[name] ??= value;
  }
  const others = elements.filter((element) => !((fieldOf(element) ?? '') in values));
  return { values, others };
}

const flags: ReadonlyMap<string, boolean> = new Map([
  ...(['true', 'yes'] as const).map((word) => [word, true] as const),
  ...(['false', 'no'] as const).map((word) => [word, false] as const),
]);

function txtElement(purpose: string, text: string): ExtraElement {
  return { name: 'podcast:txt', attributes: [['purpose', purpose]], text, children: [] };
}

/** In lower case; undefined for other elements. */
function purposeOf({ name, attributes }: ExtraElement): string | undefined {
  if (name !== 'podcast:txt') return undefined;
  return attributes
    .find(([key]) => key === 'purpose')?.[1]
    .trim()
    .toLowerCase();
}
