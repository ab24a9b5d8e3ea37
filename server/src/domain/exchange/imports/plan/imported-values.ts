import { hash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';

/** {field: hash}: the values of the last import. */
export type ImportedValues = Readonly<Record<string, string>>;

/** Decides whether a value here is replaced with the source's. */
export interface MergeRules {
  /** Null: no import has written the row. */
  readonly imported: ImportedValues | null;
  /** The source's value always wins. */
  readonly overwrite: boolean;
}

/** A value that stays although the source has another. */
export interface KeptValue {
  readonly field: string;
  readonly here: unknown;
  readonly source: unknown;
}

/**
 * Whether the value was changed here after the last import. Without a hash from an import, any
 * value counts as changed, so it is kept rather than lost.
 */
export function isChangedHere({ imported, overwrite }: MergeRules, field: string, here: unknown) {
  return isPrintChangedHere({ imported, overwrite }, field, printOf(here));
}

/** A fingerprint of a value, for comparison. */
export interface ValuePrint {
  readonly hash: string;
  readonly isEmpty: boolean;
}

export function printOf(value: unknown): ValuePrint {
  return { hash: hashValue(value), isEmpty: isEmpty(value) };
}

/** `isChangedHere` for a value that is already hashed. */
export function isPrintChangedHere(
  { imported, overwrite }: MergeRules,
  field: string,
  { hash, isEmpty }: ValuePrint,
): boolean {
  if (overwrite) return false;
  const before = imported?.[field];
  return before === undefined ? !isEmpty : before !== hash;
}

export function hashValues(values: object): ImportedValues {
  const entries = Object.entries(values).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries.map(([field, value]) => [field, hashValue(value)]));
}

export function hashValue(value: unknown): string {
  return shortenHash(hash('sha256', JSON.stringify(canonical(value)) ?? '', 'base64url'));
}

/** 96 bits are enough to distinguish values of one field. */
export const shortenHash = (sha256: string): string => sha256.slice(0, 16);

function isEmpty(value: unknown): boolean {
  return [undefined, null, '', false].includes(value as null) || isDeepStrictEqual(value, []);
}

/** The database returns object properties in another order. */
function canonical(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(canonical);
  if (typeof value !== 'object' || value === null || value instanceof Date) return value;
  const entries = Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1));
  return Object.fromEntries(entries.map(([name, inner]) => [name, canonical(inner)]));
}
