import type { Context } from '../domain/foundation/context.ts';
import { notFound } from '../domain/foundation/errors.ts';
import { getPodcast, getPodcastBySlug, type Podcast } from '../domain/publishing/podcasts/index.ts';
import { apiKeyPrefix } from '../lib/api-key.ts';
import { tryParseMoment } from '../lib/time.ts';
import { isUtcDay } from '../lib/utc-day.ts';
import { isUuid } from '../lib/uuid.ts';
import { UsageError } from './arguments.ts';
import { CommandError } from './describe-failure.ts';

/** Parses option values. Each throws UsageError with the option's name. */

export function readWholeNumberOption(name: string, text: string): number;
export function readWholeNumberOption(name: string, text: string | undefined): number | undefined;
export function readWholeNumberOption(name: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (/^\d{1,15}$/.test(text)) return Number(text);
  throw new UsageError(`${name} must be a whole number, not ${JSON.stringify(text)}.`);
}

export function readMomentOption(name: string, text: string, now: Date): Date {
  const moment = tryParseMoment(text, now);
  if (moment !== undefined) return moment;
  throw new UsageError(`${name} must be a time: ISO 8601 with a zone, or relative as +2h or -36h.`);
}

/** A UTC day, `2026-11-22`. */
export function readDay(name: string, text: string): string {
  if (isUtcDay(text)) return text;
  throw new UsageError(`${name} must be a date like 2026-11-22.`);
}

export function readChoice<const T extends string>(
  name: string,
  text: string,
  choices: readonly T[],
): T {
  const choice = choices.find((candidate) => candidate === text);
  if (choice !== undefined) return choice;
  throw new UsageError(`${name} must be one of ${choices.join(', ')}.`);
}

/** A list separated by commas. */
export function readListOption(text: string): readonly string[] {
  return text.split(',').map((part) => part.trim());
}

/** Does not repeat text that looks like a secret. */
export function readKeyId(text: string): string {
  if (text.startsWith(apiKeyPrefix)) {
    throw new UsageError('Pass the id of the key (see `key list`), never its secret.');
  }
  if (!isUuid(text)) throw notFound('key');
  return text.toLowerCase();
}

export function readSiteId(text: string): string {
  if (!isUuid(text)) throw notFound('site');
  return text.toLowerCase();
}

/** An episode's slug is unique only in its podcast. */
export function readEpisodeId(text: string): string {
  if (!isUuid(text)) {
    const given = `${JSON.stringify(text)} is not an episode id`;
    throw new CommandError(`${given}. See \`episode list PODCAST\`.`);
  }
  return text.toLowerCase();
}

/** By its id, or a current or former slug; no slug looks like an id. */
export function getPodcastByRef(ctx: Context, ref: string): Promise<Podcast> {
  return isUuid(ref) ? getPodcast(ctx, ref.toLowerCase()) : getPodcastBySlug(ctx, ref);
}
