import type { App } from '../../app.ts';
import {
  type DownloadSource,
  ingestObserved,
  type MediaFile,
  type ObservedRequest,
} from '../../domain/audience/downloads/index.ts';
import { findAudio } from '../../domain/publishing/audio/index.ts';
import { listEpisodes, type MemberEpisode } from '../../domain/publishing/episodes/index.ts';

const dayMs = 86_400_000;
/** The age of the show, so that every episode can be compared with earlier ones. */
const days = 200;

export interface DemoEpisode {
  readonly podcastId: string;
  readonly episodeId: string;
  readonly publishedAt: Date;
  readonly file: MediaFile;
}

/** Invented listeners of the last 200 days, counted like real ones. */
export async function countDemoDownloads({ ctx, geo }: App, podcastId: string): Promise<void> {
  const only = { podcastId, status: 'published', creditedUserId: undefined } as const;
  const { items } = await listEpisodes(ctx, { ...only, limit: 100, after: undefined });
  const episodes = await Promise.all(items.map((episode) => readEpisode(ctx, episode)));
  const known = episodes.filter((episode) => episode !== undefined);
  await ingestObserved(ctx, geo, () => listDemoRequests(known, ctx.clock.now()));
}

async function readEpisode(
  ctx: App['ctx'],
  { id: episodeId, podcastId, publishedAt }: MemberEpisode,
): Promise<DemoEpisode | undefined> {
  const audio = await findAudio(ctx, episodeId);
  if (audio === undefined || publishedAt === null) return undefined;
  const { sha256: hash, sizeBytes, durationMs, bitrateBps, leadingTagBytes } = audio;
  if (hash === null || sizeBytes === null || durationMs === null || bitrateBps === null)
    return undefined;
  const file = { hash, sizeBytes, durationMs, bitrateBps, leadingTagBytes };
  return { podcastId, episodeId, publishedAt, file };
}

/** Shorter episodes have fewer listeners. */
const usualMs = 120_000;

/** Most requests are in an episode's first days. The same `now` gives the same requests. */
export function* listDemoRequests(
  episodes: readonly DemoEpisode[],
  now: Date,
): Generator<ObservedRequest> {
  const random = createRandom(20_261_122);
  for (const episode of episodes) {
    const earlier = episodes.filter(({ publishedAt }) => publishedAt < episode.publishedAt);
    const share = Math.min(1, episode.file.durationMs / usualMs);
    for (let day = days; day >= 0; day -= 1) {
      const from = now.getTime() - (day + 1) * dayMs;
      const ageDays = (from + dayMs - episode.publishedAt.getTime()) / dayMs;
      if (ageDays <= 0) continue;
      const listeners = Math.round(share * (60 * 0.6 ** ageDays + 2.5) * (0.6 + random() * 0.8));
      for (let listener = 0; listener < listeners; listener += 1) {
        const at = Math.max(from + random() * dayMs, episode.publishedAt.getTime());
        const request = observe(episode, new Date(at), random);
        yield request;
        // One in five takes an earlier episode, too.
        const other = earlier[Math.floor(random() * 5 * earlier.length)];
        if (other !== undefined) yield { ...request, ...wholeOf(other) };
      }
    }
  }
}

type Random = () => number;

/** An episode with all of its audio. */
function wholeOf({ publishedAt: _, ...of }: DemoEpisode) {
  return { ...of, sent: [{ start: 0, end: of.file.sizeBytes - 1 }] };
}

function observe(episode: DemoEpisode, at: Date, random: Random): ObservedRequest {
  const { source, referrer } = pick(sources, random);
  const isOfPage = source !== 'feed';
  const { sizeBytes } = episode.file;
  // One in twelve stops soon.
  const stop = random() < 1 / 12 ? Math.floor(sizeBytes * random() * 0.3) : undefined;
  return {
    ...wholeOf(episode),
    ...(stop !== undefined && { sent: [{ start: 0, end: stop }] }),
    at,
    source,
    address: pick(networks, random).address(random),
    userAgent: pick(isOfPage ? browsers : apps, random).userAgent,
    referrer,
    framingHost: undefined,
    method: 'GET',
    status: 206,
    isPrefetch: false,
  };
}

const sources: readonly Weighted<{
  readonly source: DownloadSource;
  readonly referrer: string | undefined;
}>[] = [
  { weight: 80, source: 'feed', referrer: undefined },
  { weight: 9, source: 'player', referrer: 'https://night-birds.example/' },
  { weight: 4, source: 'player', referrer: 'https://radio-club.example/' },
  { weight: 7, source: 'listen_page', referrer: undefined },
];

const apps = [
  { weight: 38, userAgent: 'Podcasts/1650.20 CFNetwork/1408.0.4 Darwin/22.5.0' },
  { weight: 24, userAgent: 'Spotify/8.9.50 Android/34 (SM-S911B)' },
  { weight: 9, userAgent: 'Overcast/3.0 (+http://overcast.fm/; iOS podcast app)' },
  { weight: 9, userAgent: 'AntennaPod/3.4.0' },
  { weight: 7, userAgent: 'Pocket Casts/7.64' },
  { weight: 4, userAgent: 'Castro 2024.3/1405' },
  { weight: 3, userAgent: 'AppleCoreMedia/1.0.0.21K79 (Apple TV; U; CPU OS 17_0 like Mac OS X)' },
  { weight: 2, userAgent: '' },
  {
    weight: 4,
    userAgent: 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)',
  },
];

const webKit = 'AppleWebKit/605.1.15 (KHTML, like Gecko)';
const browsers = [
  {
    weight: 5,
    userAgent: `Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) ${webKit} Version/17.5 Mobile/15E148 Safari/604.1`,
  },
  {
    weight: 4,
    userAgent:
      'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Safari/537.36',
  },
  {
    weight: 2,
    userAgent: 'Mozilla/5.0 (X11; Linux x86_64; rv:127.0) Gecko/20100101 Firefox/127.0',
  },
];

/** Any address of a network of 65,536. */
const within = (network: string) => (random: Random) =>
  `${network}.${Math.floor(random() * 256)}.${Math.floor(random() * 256)}`;
const networks = [
  { weight: 34, address: within('86.150') },
  { weight: 22, address: within('73.100') },
  { weight: 14, address: within('84.150') },
  { weight: 8, address: within('90.30') },
  { weight: 6, address: within('77.168') },
  { weight: 5, address: within('1.130') },
  { weight: 4, address: within('126.50') },
  // A data center, which does not count.
  { weight: 2, address: within('3.80') },
];

type Weighted<T> = T & { readonly weight: number };

function pick<T>(choices: readonly Weighted<T>[], random: Random): Weighted<T> {
  const total = choices.reduce((sum, { weight }) => sum + weight, 0);
  let rest = random() * total;
  const found = choices.find(({ weight }) => {
    rest -= weight;
    return rest < 0;
  });
  return found ?? (choices[0] as Weighted<T>);
}

/** Lehmer's generator: numbers from 0 to 1, the same for the same seed. */
function createRandom(seed: number): Random {
  let state = seed % 2_147_483_647;
  return () => {
    state = (state * 48_271) % 2_147_483_647;
    return state / 2_147_483_647;
  };
}
