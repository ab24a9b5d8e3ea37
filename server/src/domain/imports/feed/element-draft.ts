import { decodeReferences } from './character-references.ts';
import type { FeedElement } from './feed-element.ts';

/** Shorter strings are copied by the engine itself. */
const MIN_SHARED_CHARS = 13;

/**
 * The same text in memory of its own. A part of a string keeps the whole string in memory: without
 * this each kept title would hold on to the 64 KB it was cut out of.
 */
function detach(text: string): string {
  return text.length < MIN_SHARED_CHARS ? text : Buffer.from(text).toString();
}

/** An element while it is being read. Raw text is gathered whole before its references are read. */
export class ElementDraft implements FeedElement {
  readonly name: string;
  readonly attributes: Map<string, string>;
  readonly children: ElementDraft[] = [];
  hasCdata = false;
  #pieces: string[] = [];
  #raw = '';
  /** `#pieces` put together, until there is more. */
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

  /** Text as it stands in the document, in as many pieces as the parser likes. */
  addRaw(raw: string): void {
    this.#raw += raw;
  }

  addCdata(text: string): void {
    this.#flush();
    this.hasCdata = true;
    this.#add(text);
  }

  /** Markup of an element inside a text, and what stands in that element. */
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

/** Of repeated attributes the first counts; names in lower case. Values with references resolved. */
export function readAttributes(attributes: Readonly<Record<string, string>>): Map<string, string> {
  const read = new Map<string, string>();
  for (const name of Object.keys(attributes)) {
    const key = name.toLowerCase();
    if (!read.has(key)) read.set(key, detach(decodeReferences(attributes[name] ?? '')));
  }
  return read;
}

/** The start tag again, as the document had it: its attribute values are still escaped. */
export function startTag(rawName: string, attributes: Readonly<Record<string, string>>): string {
  const written = Object.keys(attributes).map(
    (name) => ` ${name}="${(attributes[name] ?? '').replaceAll('"', '&quot;')}"`,
  );
  return `<${rawName}${written.join('')}>`;
}
