import type { ObservedRequest } from '../../server/src/domain/audience/downloads/index.ts';
import type { ByteRange } from '../../server/src/lib/byte-range.ts';

const userAgents = [
  'Podcasts/1650.20 CFNetwork/1333.0.4 Darwin/21.5.0',
  'AntennaPod/3.4.0',
  'Spotify/8.9.42 Android/34 (SM-S918B)',
  'Overcast/3.0 (+http://overcast.fm/; iOS podcast app)',
  'Mozilla/5.0 (iPhone; CPU iPhone OS 17_4 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.4 Mobile/15E148 Safari/604.1',
  'PocketCasts/1.0 (Pocket Casts Feed Parser; +http://pocketcasts.com/)',
  'Castbox/11.2.1',
  'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)',
];

/** A file of half an hour at 128 kbit/s. */
const file = {
  hash: 'ab'.repeat(32),
  sizeBytes: 28_800_000,
  durationMs: 1_800_000,
  bitrateBps: 128_000,
  leadingTagBytes: 4_096,
};

const rangeBytes = 1_000_000;
/** Clients whose requests are mixed. */
const clientsAtOnce = 500;

export interface RequestedPodcast {
  readonly id: string;
  readonly episodeIds: readonly string[];
}

interface Client {
  readonly number: number;
  readonly podcastId: string;
  readonly episodeId: string;
  /** Where the next range begins. */
  next: number;
}

/**
 * Requests of one day, like those of apps: a third in ranges of a megabyte, the others for the
 * whole file. One in eight is a bot. Most are for the newest episodes. The same input gives the
 * same result.
 */
export function* makeRequests(
  count: number,
  podcasts: readonly RequestedPodcast[],
  day: Date,
): Generator<ObservedRequest> {
  const random = createRandom(1);
  for (let n = 0; n < count; n += 1) {
    const number = Math.floor((random() * count) / 3);
    const isRanged = number % 3 === 0;
    const start = isRanged ? (n % 20) * rangeBytes : 0;
    const end = isRanged ? start + rangeBytes - 1 : file.sizeBytes - 1;
    const client = { number, ...pickEpisode(podcasts, random) };
    yield requestOf(n, client, day, { isRanged, sent: { start, end } });
  }
}

/**
 * Requests of one day in which each client requests one episode: one client in three for all its
 * ranges of a megabyte, in order, the others for the whole file. The requests of some hundred
 * clients are mixed. The same input gives the same result.
 */
export function* makeSessions(
  count: number,
  podcasts: readonly RequestedPodcast[],
  day: Date,
): Generator<ObservedRequest> {
  const random = createRandom(2);
  const open = new Map<number, Client>();
  let clients = 0;
  for (let n = 0; n < count; n += 1) {
    const place = Math.floor(random() * clientsAtOnce);
    const known = open.get(place);
    if (known === undefined) clients += 1;
    const client = known ?? { number: clients, ...pickEpisode(podcasts, random), next: 0 };
    const isRanged = client.number % 3 === 0;
    const end = Math.min(isRanged ? client.next + rangeBytes : file.sizeBytes, file.sizeBytes) - 1;
    yield requestOf(n, client, day, { isRanged, sent: { start: client.next, end } });
    client.next = end + 1;
    if (client.next < file.sizeBytes) open.set(place, client);
    else open.delete(place);
  }
}

/** Most requests are for the first podcasts, and for their newest episodes. */
function pickEpisode(podcasts: readonly RequestedPodcast[], random: () => number) {
  const pick = <T>(list: readonly T[], share: number) => list[Math.floor(share * list.length)]!;
  const { id, episodeIds } = pick(podcasts, random() ** 2);
  return { podcastId: id, episodeId: pick(episodeIds, random() ** 4) };
}

function requestOf(
  n: number,
  { number, podcastId, episodeId }: Omit<Client, 'next'>,
  day: Date,
  { isRanged, sent }: { readonly isRanged: boolean; readonly sent: ByteRange },
): ObservedRequest {
  return {
    at: new Date(day.getTime() + (n % 86_400) * 1_000),
    podcastId,
    episodeId,
    source: n % 5 === 0 ? 'player' : 'feed',
    address: `10.${number >>> 16}.${(number >>> 8) & 255}.${number & 255}`,
    userAgent: userAgents[number % userAgents.length],
    referrer: n % 5 === 0 ? `https://site-${number % 50}.example/` : undefined,
    framingHost: undefined,
    method: 'GET',
    status: isRanged ? 206 : 200,
    isPrefetch: false,
    file,
    sent: [sent],
  };
}

/** Numbers from 0 to 1, the same for the same seed (mulberry32). */
function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
