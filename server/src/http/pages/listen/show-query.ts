import Type, { type Static } from 'typebox';
import { listenUrl } from '../../../domain/foundation/addresses.ts';
import type { EpisodeQuery, PublicPodcast } from '../../../domain/public/catalogue/index.ts';
import type { CursorScope } from '../../../lib/cursor.ts';
import { startOfYear } from '../../../lib/years.ts';
import type { Hosts } from './view.ts';

/** The parameters of a show's page, on any host. */
export const showPageQuery = Type.Object({
  cursor: Type.Optional(Type.String({ maxLength: 2048 })),
  q: Type.Optional(Type.String()),
  season: Type.Optional(Type.Integer({ minimum: 0, maximum: 9999 })),
  year: Type.Optional(Type.Integer({ minimum: 1, maximum: 9998 })),
  order: Type.Optional(Type.Union([Type.Literal('newest'), Type.Literal('oldest')])),
});

export type ShowPageQuery = Static<typeof showPageQuery>;

/** Which episodes a page lists, and how. */
export interface Choice {
  readonly season: number | undefined;
  readonly year: number | undefined;
  readonly isOldestFirst: boolean;
}

/** A serial show is heard from its beginning. */
export const isToldInOrder = (show: PublicPodcast) => show.showType === 'serial';

export function readListChoice(show: PublicPodcast, query: ShowPageQuery): Choice {
  const { season, year, order } = query;
  const isOldestFirst = order === undefined ? isToldInOrder(show) : order === 'oldest';
  return { season, year, isOldestFirst };
}

/** Whether this is the list at the show's own URL. */
export function isUsual(show: PublicPodcast, { season, year, isOldestFirst }: Choice): boolean {
  return season === undefined && year === undefined && isOldestFirst === isToldInOrder(show);
}

export function scopeOfChoice(
  show: PublicPodcast,
  { season, year, isOldestFirst }: Choice,
): CursorScope {
  const filters = { season, year, order: isOldestFirst ? 'oldest' : undefined };
  return { endpoint: 'GET /listen/{slug}', resource: show.id, filters };
}

export function toEpisodeQuery(
  { timezone }: PublicPodcast,
  { season, year, isOldestFirst }: Choice,
): Pick<EpisodeQuery, 'season' | 'published' | 'isOldestFirst'> {
  const published = year === undefined ? undefined : yearIn(year, timezone);
  return { season, published, isOldestFirst };
}

const yearIn = (year: number, timeZone: string) => ({
  from: startOfYear(year, timeZone),
  before: startOfYear(year + 1, timeZone),
});

/** Where a choice, and a page of it, is. */
export function choiceUrl(
  hosts: Hosts,
  show: PublicPodcast,
  choice: Choice,
  cursor?: string,
): string {
  const { season, year, isOldestFirst } = choice;
  const order = isOldestFirst ? 'oldest' : 'newest';
  const parameters = new URLSearchParams({
    ...(season !== undefined && { season: String(season) }),
    ...(year !== undefined && { year: String(year) }),
    ...(isOldestFirst !== isToldInOrder(show) && { order }),
    ...(cursor !== undefined && { cursor }),
  });
  const query = parameters.size === 0 ? '' : `?${parameters}`;
  return `${listenUrl(hosts, show)}${query}`;
}
