import type { Options } from '../options.ts';
import { fetchJson } from './fetch.ts';
import type { Episode, Podcast } from './wire.ts';

/** Requests to the public API. Each throws LoadError. */

interface Page {
  readonly data: readonly Episode[];
  readonly pagination: { readonly next_cursor: string | null };
}

type ListOptions = Pick<Options, 'service' | 'season'>;

const pageSize = 50;
/** A season plays from its beginning, so all its pages are read first. */
const maxSeasonPages = 20;

export async function fetchPodcast({ service }: Options, ref: string): Promise<Podcast> {
  return (await fetchJson<{ data: Podcast }>(`${service}/v1/podcasts/${encode(ref)}`)).data;
}

/**
 * The episode that the attributes name: by id, by slug within its podcast, or the podcast's newest.
 */
export async function fetchEpisode(
  { service, podcast }: Pick<Options, 'service' | 'podcast'>,
  ref: string | null,
): Promise<Episode> {
  const path = podcast
    ? `podcasts/${encode(podcast)}/episodes/${encode(ref ?? 'latest')}`
    : `episodes/${encode(ref ?? '')}`;
  return (await fetchJson<{ data: Episode }>(`${service}/v1/${path}`)).data;
}

export interface List {
  readonly episodes: readonly Episode[];
  readonly cursor: string | null;
}

/** A page of the show, newest first; or a whole season, oldest first. */
export async function fetchList(options: ListOptions, podcast: string, cursor = ''): Promise<List> {
  if (options.season === null) return fetchPage(options, podcast, cursor);
  const episodes: Episode[] = [];
  let next: string | null = '';
  for (let page = 0; page < maxSeasonPages && next !== null; page += 1) {
    const list: List = await fetchPage(options, podcast, next);
    episodes.push(...list.episodes);
    next = list.cursor;
  }
  return { episodes: episodes.reverse(), cursor: null };
}

async function fetchPage(
  { service, season }: ListOptions,
  podcast: string,
  cursor: string,
): Promise<List> {
  const query =
    (season === null ? '' : `&season=${season}`) + (cursor && `&cursor=${encode(cursor)}`);
  const { data, pagination } = await fetchJson<Page>(
    `${service}/v1/podcasts/${encode(podcast)}/episodes?limit=${pageSize}${query}`,
  );
  return { episodes: data, cursor: pagination.next_cursor };
}

const encode = encodeURIComponent;
