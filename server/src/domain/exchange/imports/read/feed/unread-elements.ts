import type { FeedLevel } from '../../../../publishing/podcasts/index.ts';
import { tryParseLine, tryParseWebUrl } from './field-text.ts';
import type { UnreadElement } from './parsed-feed.ts';

const MAX_NAMES = 200;
const NAME_CHARS = 100;
/** Stands for all further names together. */
const OTHERS = '(others)';

/** Our feed always has its own value of these, so nothing is lost. */
const WRITTEN_ANEW: ReadonlySet<string> = new Set(['lastbuilddate']);

/** Counts elements of a feed that are not read. The number of different names is limited. */
export class UnreadElements {
  readonly #counts = new Map<string, UnreadElement>();

  add(level: FeedLevel, name: string, count = 1): void {
    if (WRITTEN_ANEW.has(name.toLowerCase())) return;
    const line = tryParseLine(name, NAME_CHARS) ?? OTHERS;
    const isNew = !this.#counts.has(`${level} ${line}`);
    const element = isNew && this.#counts.size >= MAX_NAMES ? OTHERS : line;
    const key = `${level} ${element}`;
    const before = this.#counts.get(key)?.count ?? 0;
    this.#counts.set(key, { element, level, count: before + count });
  }

  /**
   * Reads the URL of a page or a picture, the first of several that can be used. If none is http(s), or
   * they are far too long, they are counted.
   */
  readUrl(
    level: FeedLevel,
    name: string,
    ...texts: readonly (string | undefined)[]
  ): string | undefined {
    const url = texts.map(tryParseWebUrl).find((found) => found !== undefined);
    if (url === undefined && texts.some((text) => text?.trim())) this.add(level, name);
    return url;
  }

  /** Most frequent first. */
  list(): UnreadElement[] {
    return [...this.#counts.values()].sort((one, other) => other.count - one.count);
  }
}
