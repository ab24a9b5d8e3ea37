import { decodeReferences } from './character-references.ts';
import type { FeedElement } from './feed-element.ts';

/** Shorter strings are copied by the engine itself. */
const MIN_SHARED_CHARS = 13;

/**
 * Copies the text. A substring keeps its whole string in memory, so without this each title would
 * keep the 64 KB that it was cut from.
 */
function detach(text: string): string {
  return text.length < MIN_SHARED_CHARS ? text : Buffer.from(text).toString();
}

/**
 * An element while it is being read. Its raw text is collected completely before references are
 * resolved.
 */
export class ElementDraft implements FeedElement {
  readonly name: string;
  readonly attributes: Map<string, string>;
  readonly children: ElementDraft[] = [];
  hasCdata = false;
  #pieces: string[] = [];
  #raw = '';
  /** `#pieces` joined; undefined after a piece was added. */
  #text: string | undefined;

  constructor(name: string, attributes: Map<string, string>) {
    this.name = name;
    this.attributes = attributes;
  }

  get text(): string {
    this.#flush();
    if (this.#text === undefined) {
      this.#text = detach(this.#pieces.join(''));
      this.#pieces = [this.#text];
    }
    return this.#text;
  }

  /** Text as it is in the document, in pieces of any size. */
  addRaw(raw: string): void {
    this.#raw += raw;
  }

  addCdata(text: string): void {
    this.#flush();
    this.hasCdata = true;
    this.#add(text);
  }

  /** Markup of an element inside a text, and the text in that element. */
  addMarkup(markup: string): void {
    this.#flush();
    this.#add(markup);
  }

  #flush(): void {
    if (this.#raw === '') return;
    this.#add(decodeReferences(this.#raw));
    this.#raw = '';
  }

  #add(piece: string): void {
    this.#pieces.push(piece);
    this.#text = undefined;
  }
}

/**
 * Names in lower case, values with references resolved. The first of repeated attributes counts.
 */
export function readAttributes(attributes: Readonly<Record<string, string>>): Map<string, string> {
  const read = new Map<string, string>();
  for (const name of Object.keys(attributes)) {
    const key = name.toLowerCase();
    if (!read.has(key)) read.set(key, detach(decodeReferences(attributes[name] ?? '')));
  }
  return read;
}

/** The start tag as it was in the document: its attribute values are still escaped. */
export function startTag(rawName: string, attributes: Readonly<Record<string, string>>): string {
  const written = Object.keys(attributes).map(
    (name) => ` ${name}="${(attributes[name] ?? '').replaceAll('"', '&quot;')}"`,
  );
  return `<${rawName}${written.join('')}>`;
}
