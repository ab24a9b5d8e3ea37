import { loadHtmlParser } from '../../../lib/html/html-readers.ts';
import { tryParseClock, tryParseTranscriptLanguage } from './cue-text.ts';
import { takePrefixes } from './speaker-prefix.ts';
import { type RawSegment, type RawTranscript, TranscriptError } from './transcript.ts';

// The text of these elements is not speech.
const passedOver = new Set([
  'head',
  'script',
  'style',
  'noscript',
  'template',
  'svg',
  'nav',
  'title',
]);
const blocks = new Set([
  'p',
  'div',
  'li',
  'blockquote',
  'section',
  'article',
  'dd',
  'dt',
  'td',
  'pre',
]);

/**
 * Reads HTML as the Podcasting 2.0 namespace defines it: `<cite>` is a speaker, `<time>` the start,
 * `<p>` the words, in any grouping. A name applies until the next one. `completeTranscript` adds
 * the ends and missing starts.
 */
export function parseTranscriptHtml(html: string): RawTranscript {
  const { Parser } = loadHtmlParser();
  const reader = new Reader();
  const parser = new Parser({
    onopentag: (name, attribs) => reader.open(name, attribs),
    ontext: (text) => reader.text(text),
    onclosetag: (name) => reader.close(name),
  });
  parser.end(html);
  reader.finishWords();
  const { segments, language, hasNames } = reader;
  return { segments: hasNames ? segments : takePrefixes(segments, { isOneLine: true }), language };
}

/** Real transcripts nest less than 20 deep. */
const maxDepth = 400;

class Reader {
  readonly segments: RawSegment[] = [];
  language: string | undefined;
  /** There is a `<cite>`, so the words do not begin with names. */
  hasNames = false;
  #speaker = '';
  #startMs: number | undefined;
  #hidden = 0;
  #depth = 0;
  /** The field that contains this text, inside `<cite>` or `<time>`. */
  #field: 'cite' | 'time' | undefined;
  #parts: string[] = [];

  open(name: string, attribs: Readonly<Record<string, string>>): void {
    this.#depth += 1;
    // The parser takes quadratic time in the depth.
    if (this.#depth > maxDepth) {
      throw new TranscriptError('damaged', "The transcript's HTML is nested too deeply.");
    }
    if (name === 'html') this.language = tryParseTranscriptLanguage(attribs['lang']);
    if (passedOver.has(name)) this.#hidden += 1;
    if (name === 'br') this.#parts.push(' ');
    // A field that was never closed ends where the words begin.
    if (blocks.has(name) && this.#field !== undefined) this.#end(this.#field);
    if (blocks.has(name)) this.finishWords();
    if (name === 'cite' || name === 'time') {
      this.finishWords();
      this.#field = name;
      if (name === 'cite') this.hasNames = true;
    }
  }

  text(text: string): void {
    if (this.#hidden === 0) this.#parts.push(text);
  }

  close(name: string): void {
    this.#depth -= 1;
    this.#end(name);
  }

  #end(name: string): void {
    if (passedOver.has(name)) this.#hidden -= 1;
    if (blocks.has(name)) this.finishWords();
    if (name !== this.#field) return;
    const value = this.#takeParts();
    this.#field = undefined;
    if (name === 'cite') this.#speaker = value.replace(/[:：]$/u, '').trimEnd();
    else this.#startMs = tryParseClock(value.replace(/^[[(]|[\])]$/g, ''));
  }

  finishWords(): void {
    if (this.#field !== undefined) return;
    const text = this.#takeParts();
    if (text === '') return;
    const startMs = this.#startMs;
    this.segments.push({ startMs, endMs: undefined, speaker: this.#speaker, text });
    // The time is the start of its first paragraph; later paragraphs get theirs by interpolation.
    this.#startMs = undefined;
  }

  #takeParts(): string {
    const text = this.#parts.join('').trim();
    this.#parts = [];
    return text;
  }
}
