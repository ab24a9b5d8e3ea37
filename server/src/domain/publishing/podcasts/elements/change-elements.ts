import { isDeepStrictEqual } from 'node:util';
import {
  type ElementChanges,
  type ElementEntry,
  type ElementName,
  type ElementOwner,
  elementsOf,
  type FeedElement,
  feedElements,
} from '../../../../lib/fields/feed-elements.ts';
import { wireName } from '../../../../lib/wire-names.ts';
import type { ErrorDetail } from '../../../foundation/errors.ts';
import { sayRefusal } from '../../../foundation/refusals.ts';
import { checkExtraElements, type ExtraElement } from '../extra-element.ts';
import { checkEntry } from './check-entries.ts';
import { isNamed, type ReadEntry, readEntries, writeEntry } from './element-entries.ts';

/** All elements that members can edit, by name: a list for each that this owner may have. */
export function readElements(owner: ElementOwner, elements: readonly ExtraElement[]): ElementsOf {
  const lists = elementsOf(owner).map(([name, spec]) => {
    return [name, readEntries(spec, owner, elements).map(({ entry }) => entry)];
  });
  return Object.fromEntries(lists) as ElementsOf;
}

export type ElementsOf = Readonly<Partial<Record<ElementName, readonly ElementEntry[]>>>;

/** The changes of elements among changes, and all others. */
export function splitElements<T extends object>(
  owner: ElementOwner,
  changes: T,
): { readonly elements: ElementChanges; readonly fields: Omit<T, ElementName> } {
  const names = new Set<string>(elementsOf(owner).map(([name]) => name));
  const [elements, fields]: [[string, unknown][], [string, unknown][]] = [[], []];
  for (const [name, value] of Object.entries(changes)) {
    if (!names.has(name)) fields.push([name, value]);
    else if (value !== undefined) elements.push([name, value]);
  }
  return {
    elements: Object.fromEntries(elements) as ElementChanges,
    fields: Object.fromEntries(fields) as Omit<T, ElementName>,
  };
}

/**
 * What is wrong with new elements, under the names of seed files. Those that are there already stay,
 * whatever they say: a feed may have brought them.
 */
export function checkElements(
  owner: ElementOwner,
  changes: ElementChanges,
  present: readonly ExtraElement[] = [],
): ErrorDetail[] {
  const details = namedChanges(changes).flatMap(([name, spec, entries]) => {
    const field = wireName(name);
    const { most, values } = spec;
    const known = readEntries(spec, owner, present);
    if (entries.length > Math.max(most, known.length)) {
      return [{ field, ...sayRefusal('element_count', { max: most }) }];
    }
    const byEntry = elementsByEntry(known);
    return entries.flatMap((entry, index) => {
      if (byEntry.has(keyOf(entry))) return [];
      return checkEntry(name, values, entry).map((detail) => {
        return { ...detail, field: `${field}[${index}].${detail.field}` };
      });
    });
  });
  if (details.length > 0 || Object.keys(changes).length === 0) return details;
  // Relative times are as long as others, whatever they are relative to.
  return checkAllElements(owner, changeElements(owner, present, changes, new Date(0)).elements);
}

function namedChanges(
  changes: ElementChanges,
): (readonly [ElementName, FeedElement, readonly ElementEntry[]])[] {
  return Object.entries(changes).map(([name, entries]) => {
    const known = name as ElementName;
    return [known, feedElements[known], entries.map(trimEntry)] as const;
  });
}

/**
 * Without the blanks around texts, and without texts of blanks: for checks and for what is written, such
 * a text is missing.
 */
function trimEntry(entry: ElementEntry): ElementEntry {
  const trimmed: Record<string, ElementEntry[string]> = {};
  for (const [name, value] of Object.entries(entry)) {
    if (value === undefined) continue;
    const kept = typeof value === 'string' ? value.trim() : value;
    if (kept !== '') trimmed[name] = Array.isArray(kept) ? kept.map(trimEntry) : kept;
  }
  return trimmed;
}

export interface ChangedElements {
  readonly elements: readonly ExtraElement[];
  /** The names of the fields that change. */
  readonly changed: readonly ElementName[];
}

/** The elements after changes that were checked. An entry that is there keeps its element as it is. */
export function changeElements(
  owner: ElementOwner,
  present: readonly ExtraElement[],
  changes: ElementChanges,
  now: Date,
): ChangedElements {
  let elements = present;
  const changed: ElementName[] = [];
  for (const [name, spec, entries] of namedChanges(changes)) {
    const known = readEntries(spec, owner, elements);
    if (
      isDeepStrictEqual(
        known.map(({ entry }) => entry),
        entries,
      )
    )
      continue;
    changed.push(name);
    elements = replaceElements(spec, elements, {
      known,
      written: write(spec, known, entries, now),
    });
  }
  return { elements, changed };
}

function write(
  { element, values }: FeedElement,
  known: readonly ReadEntry[],
  entries: readonly ElementEntry[],
  now: Date,
): ExtraElement[] {
  const byEntry = elementsByEntry(known);
  return entries.map(
    (entry) => byEntry.get(keyOf(entry)) ?? writeEntry(element, values, entry, now),
  );
}

/** A feed may bring two thousand of one name, so entries are not compared with each other. */
function elementsByEntry(known: readonly ReadEntry[]): ReadonlyMap<string, ExtraElement> {
  // Of two that say the same, the first.
  return new Map(known.toReversed().map(({ entry, element }) => [keyOf(entry), element]));
}

/** The same for entries with the same values, in any order. */
function keyOf(entry: ElementEntry): string {
  return JSON.stringify(entry, (_name, value: unknown) =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1)))
      : value,
  );
}

interface Replacement {
  readonly known: readonly ReadEntry[];
  readonly written: readonly ExtraElement[];
}

/** In the place of the first. If there may be only one, it also replaces one that nobody could edit. */
function replaceElements(
  spec: FeedElement,
  elements: readonly ExtraElement[],
  { known, written }: Replacement,
): ExtraElement[] {
  const { within, element: name, most } = spec;
  const outer = within ?? name;
  const old = new Set(known.map(({ element }) => element));
  const isOnlyOne = within !== undefined || most === 1;
  const isReplaced = (element: ExtraElement) =>
    isNamed(element, outer) &&
    ((isOnlyOne && written.length > 0) ||
      old.has(element) ||
      (within !== undefined && element.children.some((child) => old.has(child))));
  const first = elements.findIndex(isReplaced);
  const kept = elements.filter((element) => !isReplaced(element));
  const added =
    within === undefined || written.length === 0
      ? written
      : [{ name: within, attributes: [], text: '', children: written }];
  return kept.toSpliced(first === -1 ? kept.length : first, 0, ...added);
}

/** What is wrong with all elements of a show or an episode together. */
export function checkAllElements(
  owner: ElementOwner,
  elements: readonly ExtraElement[],
): ErrorDetail[] {
  const message = checkExtraElements(elements, owner === 'show' ? 'channel' : 'item');
  return message === undefined ? [] : [{ field: 'extra_elements', message }];
}
