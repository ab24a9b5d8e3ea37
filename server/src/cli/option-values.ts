import { notFound } from '../domain/errors.ts';
import { apiKeyPrefix } from '../lib/api-key.ts';
import { tryParseMoment } from '../lib/time.ts';
import { isUuid } from '../lib/uuid.ts';
import { UsageError } from './arguments.ts';

/** What was typed as a value, read. Each throws UsageError with the name it was typed under. */

export function readWholeNumber(name: string, text: string): number;
export function readWholeNumber(name: string, text: string | undefined): number | undefined;
export function readWholeNumber(name: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (/^\d{1,15}$/.test(text)) return Number(text);
  throw new UsageError(`${name} is a whole number, not ${JSON.stringify(text)}.`);
}

export function readMoment(name: string, text: string, now: Date): Date {
  const moment = tryParseMoment(text, now);
  if (moment !== undefined) return moment;
  throw new UsageError(`${name} is a time: ISO 8601 with a zone, or relative as +2h or -36h.`);
}

export function readFlag(name: string, text: string): boolean {
  if (text === 'true' || text === 'false') return text === 'true';
  throw new UsageError(`${name} is true or false.`);
}

export function readChoice<const T extends string>(
  name: string,
  text: string,
  choices: readonly T[],
): T {
  const choice = choices.find((candidate) => candidate === text);
  if (choice !== undefined) return choice;
  throw new UsageError(`${name} is one of ${choices.join(', ')}.`);
}

/** Parts between commas. */
export function readList(text: string): readonly string[] {
  return text.split(',').map((part) => part.trim());
}

/** What looks like a secret is not repeated. */
export function readKeyId(text: string): string {
  if (text.startsWith(apiKeyPrefix)) {
    throw new UsageError('A key is named by its id: its secret is for nobody to read here.');
  }
  if (!isUuid(text)) throw notFound('key');
  return text.toLowerCase();
}

/** An id has one form; what has another is no episode. */
export function readEpisodeId(text: string): string {
  if (!isUuid(text)) throw notFound('episode');
  return text.toLowerCase();
}
