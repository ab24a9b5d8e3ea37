import { tryParseTimestamp } from '../../../lib/time.ts';

/**
 * An element of the Podcasting 2.0 namespace that is none of our fields. It is stored as data,
 * never as markup, and the feed writes it again.
 */
export interface ExtraElement {
  /**
   * The name as written: `podcast:value`. A nested element may also be of RSS, `itunes:` and
   * others.
   */
  readonly name: string;
  /** Pairs of name and value. */
  readonly attributes: readonly (readonly [name: string, value: string])[];
  readonly text: string;
  readonly children: readonly ExtraElement[];
  /** From this time on it is not in the feed (ISO 8601). Only elements of channels have it. */
  readonly expiresAt?: string;
}

/** The elements that are in the feed at a time. */
export function unexpiredElements(elements: readonly ExtraElement[], now: Date): ExtraElement[] {
  return elements.filter(({ expiresAt }) => expiresAt === undefined || new Date(expiresAt) > now);
}

/** When the next of these elements leaves the feed; null: none does. */
export function nextExpiryOf(elements: readonly ExtraElement[], now: Date): Date | null {
  const times = elements.map(({ expiresAt }) =>
    expiresAt === undefined ? 0 : +new Date(expiresAt),
  );
  const next = times.reduce(
    (least, time) => (time > +now ? Math.min(least, time) : least),
    Infinity,
  );
  return Number.isFinite(next) ? new Date(next) : null;
}

/** Where an element stands. */
export type FeedLevel = 'channel' | 'item';

/** The limits for one podcast or one episode. */
export const extraElementLimits = { elements: 2_000, chars: 100_000, depth: 10 } as const;

/** The elements that the feed writes from our fields. Lower case, without the prefix. */
const ownElements: Readonly<Record<FeedLevel, ReadonlySet<string>>> = {
  channel: new Set(['guid', 'locked', 'funding', 'medium', 'person', 'podping']),
  item: new Set(['person', 'season', 'episode', 'chapters', 'transcript']),
};

/** Whether the feed writes this element of the namespace itself. `name`: without the prefix. */
export function isOwnElement(level: FeedLevel, name: string): boolean {
  return ownElements[level].has(name.toLowerCase());
}

/** The prefixes that our feed declares; a nested element may also have none. */
const elementName = /^(?:(?:podcast|itunes|content|atom):)?[A-Za-z_][\w.-]{0,99}$/;
const attributeName = /^(?:xml:(?:lang|space|base)|[A-Za-z_][\w.-]{0,99})$/;

export function isExtraElementName(name: string): boolean {
  return elementName.test(name) && !/^xml|^(?:item|channel|rss)$/i.test(name);
}

export function isExtraAttributeName(name: string): boolean {
  return attributeName.test(name) && (name.includes(':') || !/^xml/i.test(name));
}

/** What is wrong with these elements at this level; undefined: nothing. */
export function checkExtraElements(
  elements: readonly ExtraElement[],
  level: FeedLevel,
): string | undefined {
  const isForeign = ({ name }: ExtraElement) =>
    !name.startsWith('podcast:') || isOwnElement(level, name.slice('podcast:'.length));
  if (elements.some(isForeign)) {
    return `Only elements of the podcast namespace that are not a field of the ${level} are allowed here.`;
  }
  const spent = { elements: 0, chars: 0 };
  return elements.every((element) => fits(element, spent, 1))
    ? undefined
    : 'There are too many elements, or they are too long, too deeply nested, or have names that XML does not allow.';
}

function fits(
  { name, attributes, text, children, expiresAt }: ExtraElement,
  spent: { elements: number; chars: number },
  depth: number,
): boolean {
  spent.elements += 1;
  spent.chars += name.length + text.length;
  for (const [key, value] of attributes) spent.chars += key.length + value.length;
  const { elements, chars, depth: maxDepth } = extraElementLimits;
  if (depth > maxDepth || spent.elements > elements || spent.chars > chars) return false;
  if (!isExtraElementName(name)) return false;
  if (expiresAt !== undefined && tryParseTimestamp(expiresAt) === undefined) return false;
  const names = new Set(attributes.map(([key]) => key));
  if (names.size < attributes.length || ![...names].every(isExtraAttributeName)) return false;
  return children.every((child) => fits(child, spent, depth + 1));
}
