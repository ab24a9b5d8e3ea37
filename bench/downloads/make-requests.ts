import type { ObservedRequest } from '../../server/src/domain/downloads/index.ts';

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

/**
 * Requests of one day, like those of apps: a third in ranges of a megabyte, the others for the
 * whole file. One in eight is a bot. Most are for the newest episodes. The same input gives the
 * same result.
 */
export function* makeRequests(
  count: number,
  podcasts: readonly { readonly id: string; readonly episodeIds: readonly string[] }[],
  day: Date,
): Generator<ObservedRequest> {
  const random = createRandom(1);
  const pick = <T>(list: readonly T[], share: number) => list[Math.floor(share * list.length)]!;
  for (let n = 0; n < count; n += 1) {
    const client = Math.floor((random() * count) / 3);
    const podcast = pick(podcasts, random() ** 2);
    const start = client % 3 === 0 ? (n % 20) * 1_000_000 : 0;
    yield {
      at: new Date(day.getTime() + (n % 86_400) * 1_000),
      podcastId: podcast.id,
      episodeId: pick(podcast.episodeIds, random() ** 4),
      source: n % 5 === 0 ? 'player' : 'feed',
      address: `10.${client >>> 16}.${(client >>> 8) & 255}.${client & 255}`,
      userAgent: userAgents[client % userAgents.length],
      referrer: n % 5 === 0 ? `https://site-${client % 50}.example/` : undefined,
      framingHost: undefined,
      method: 'GET',
      status: client % 3 === 0 ? 206 : 200,
      isPrefetch: false,
      file,
      sent: [{ start, end: client % 3 === 0 ? start + 999_999 : file.sizeBytes - 1 }],
    };
  }
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
