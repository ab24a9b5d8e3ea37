import { tryParseClock } from './cue-text.ts';
import { maxJsonContainers, maxJsonDepth } from './transcript.ts';

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/**
 * Reads milliseconds from seconds, as a number or text, or from a clock time; otherwise undefined.
 */
export function tryReadTime(value: unknown): number | undefined {
  if (typeof value === 'number') return Number.isFinite(value) ? value * 1000 : undefined;
  if (typeof value !== 'string' || value.trim() === '') return undefined;
  const seconds = Number(value);
  return Number.isFinite(seconds) ? seconds * 1000 : tryParseClock(value);
}

/**
 * Whether the text opens more objects and lists, or nests them deeper, than any real file. Parsing
 * millions of them would take more memory than a reader has.
 */
export function isTooLargeJson(text: string): boolean {
  let depth = 0;
  let count = 0;
  let isInText = false;
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at];
    if (isInText) {
      if (character === '\\') at += 1;
      else if (character === '"') isInText = false;
    } else if (character === '"') {
      isInText = true;
    } else if (character === '{' || character === '[') {
      depth += 1;
      count += 1;
      if (depth > maxJsonDepth || count > maxJsonContainers) return true;
    } else if (character === '}' || character === ']') {
      depth -= 1;
    }
  }
  return false;
}
