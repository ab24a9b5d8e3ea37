import { tryParseFeedDate } from '../../../../lib/feed-date.ts';
import {
  type ElementEntry,
  type ElementOwner,
  type ElementValue,
  type ElementValues,
  type FeedElement,
  valuesOf,
} from '../../../../lib/fields/feed-elements.ts';
import { formatRfc2822, parseMoment } from '../../../../lib/time.ts';
import { asciiUrl } from '../../../../lib/web-url.ts';
import type { ExtraElement } from '../extra-element.ts';

/** An element that members edit, as they see it. */
export interface ReadEntry {
  readonly entry: ElementEntry;
  readonly element: ExtraElement;
}

/** Those of the elements that members can edit under this name. Any that say more are left out. */
export function readEntries(
  spec: FeedElement,
  owner: ElementOwner,
  elements: readonly ExtraElement[],
): ReadEntry[] {
  const { within, element: name, values, ignored = [] } = spec;
  const read = (list: readonly ExtraElement[]) =>
    list
      .filter((element) => isNamed(element, name))
      .map((element) => {
        const entry = readEntry(values, owner, element, ignored);
        return entry && { entry, element };
      });
  const found =
    within === undefined
      ? read(elements)
      : elements
          .filter((element) => isPlain(element, within, name))
          .flatMap(({ children }) => {
            const inner = read(children);
            return inner.includes(undefined) ? [] : inner;
          });
  return found.filter((one) => one !== undefined);
}

export const isNamed = ({ name }: ExtraElement, wanted: string): boolean =>
  name.toLowerCase() === wanted.toLowerCase();

/** Whether it only contains elements of this name. */
function isPlain(element: ExtraElement, within: string, name: string): boolean {
  const { attributes, text, children } = element;
  const hasMore = attributes.length > 0 || text !== '';
  return isNamed(element, within) && !hasMore && children.every((child) => isNamed(child, name));
}

/** Undefined: it has something that is not in the list, or a value that cannot be read. */
function readEntry(
  values: ElementValues,
  owner: ElementOwner,
  element: ExtraElement,
  ignored: readonly string[] = [],
): ElementEntry | undefined {
  const parts = partsOf(element);
  const entry: Record<string, ElementEntry[string]> = {};
  for (const [name, value] of valuesOf(values, owner)) {
    if (value.kind === 'elements') {
      const inner = element.children.map((child) =>
        isNamed(child, value.element) ? readEntry(value.values, owner, child) : undefined,
      );
      if (inner.includes(undefined)) return undefined;
      entry[name] = inner as ElementEntry[];
      parts.children = 0;
      continue;
    }
    const text = value.kind === 'expiry' ? element.expiresAt : takePart(parts, name, value);
    if (text === undefined) continue;
    const read = readText(value, text);
    if (read === undefined) return undefined;
    entry[name] = read;
  }
  for (const name of ignored) parts.attributes.delete(name.toLowerCase());
  const isWhole = parts.attributes.size === 0 && parts.text === '' && parts.children === 0;
  return isWhole ? entry : undefined;
}

/** What of an element is not read yet. */
interface Parts {
  readonly attributes: Map<string, string>;
  text: string;
  children: number;
}

function partsOf({ attributes, text, children }: ExtraElement): Parts {
  const named = attributes.map(([name, value]) => [name.toLowerCase(), value.trim()] as const);
  return { attributes: new Map(named), text: text.trim(), children: children.length };
}

function takePart(
  parts: Parts,
  name: string,
  { isText, attribute = name, aliases = [] }: ElementValue,
): string | undefined {
  const names = isText ? [] : [attribute, ...aliases.filter((alias) => alias !== 'text')];
  for (const key of names.map((each) => each.toLowerCase())) {
    const value = parts.attributes.get(key);
    if (value === undefined) continue;
    parts.attributes.delete(key);
    return value === '' ? undefined : value;
  }
  if ((!isText && !aliases.includes('text')) || parts.text === '') return undefined;
  const { text } = parts;
  parts.text = '';
  return text;
}

function readText(value: ElementValue, text: string): ElementEntry[string] | undefined {
  switch (value.kind) {
    case 'flag':
      return flags.get(text.toLowerCase());
    case 'whole':
      return /^\d{1,15}$/.test(text) ? Number(text) : undefined;
    case 'seconds':
      return /^\d{1,9}(?:\.\d{1,9})?$/.test(text) ? Number(text) : undefined;
    case 'moment':
      return tryParseFeedDate(text)?.toISOString();
    case 'geo':
      return text.startsWith('geo:') ? text : `geo:${text}`;
    case 'text':
      return Object.hasOwn(value.reserved ?? {}, text.toLowerCase()) ? undefined : text;
    default:
      return text;
  }
}

const flags: ReadonlyMap<string, boolean> = new Map([
  ...(['true', 'yes'] as const).map((word) => [word, true] as const),
  ...(['false', 'no'] as const).map((word) => [word, false] as const),
]);

/** The element for an entry that was trimmed and checked. `now`: relative times count from it. */
export function writeEntry(
  element: string,
  values: ElementValues,
  entry: ElementEntry,
  now: Date,
): ExtraElement {
  const attributes: [string, string][] = [];
  let written: ExtraElement = { name: element, attributes, text: '', children: [] };
  for (const [name, value] of Object.entries(values)) {
    const given = entry[name];
    if (given === undefined) continue;
    if (value.kind === 'elements') {
      const inner = given as readonly ElementEntry[];
      const children = inner.map((one) => writeEntry(value.element, value.values, one, now));
      written = { ...written, children };
    } else if (value.kind === 'expiry') {
      written = { ...written, expiresAt: parseMoment(String(given), now).toISOString() };
    } else {
      const text = writeText(value, String(given), now);
      if (value.isText) written = { ...written, text };
      else attributes.push([value.attribute ?? name, text.replace(/[\t\n\r]/g, ' ')]);
    }
  }
  return written;
}

function writeText({ kind }: ElementValue, given: string, now: Date): string {
  const text = given.replace(/\r\n?/g, '\n');
  if (kind === 'moment') return formatRfc2822(parseMoment(text, now));
  return kind === 'url' ? asciiUrl(text) : text;
}
