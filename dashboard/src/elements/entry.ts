import type { ElementValues } from '../../../server/src/lib/fields/feed-elements.ts';
import { wireName } from '../../../server/src/lib/wire-names.ts';
import type { FieldValue } from '../editor/fields.ts';

/** A feed element under the names of the API. Values that it does not have are missing. */
export type Entry = Readonly<Record<string, FieldValue>>;

/** An empty list if it is none. */
export const entriesOf = (value: FieldValue | undefined): readonly Entry[] =>
  Array.isArray(value) ? (value as readonly Entry[]) : [];

export function withValue(entry: Entry, name: string, value: FieldValue | undefined): Entry {
  const { [name]: _, ...others } = entry;
  return value === undefined ? others : { ...others, [name]: value };
}

/** A short text by which people recognize the element: its own text, or its first value that is one. */
export function nameOfEntry(values: ElementValues, entry: Entry): string | undefined {
  const names = Object.entries(values)
    .toSorted(([, one], [, other]) => rank(one) - rank(other))
    .map(([name]) => entry[wireName(name)]);
  return names.find((value): value is string => typeof value === 'string' && value !== '');
}

const rank = ({ isText, label }: ElementValues[string]): number =>
  isText ? 0 : label === 'Title' || label === 'Name' ? 1 : 2;
