import type { Context } from '../src/domain/foundation/context.ts';
import { attachTone, findAudio } from '../src/domain/publishing/audio/index.ts';
import type { Podcast } from '../src/domain/publishing/podcasts/index.ts';
import type { TestContext } from './create-test-context.ts';
import { makeEpisode, makePodcast } from './make.ts';

/** An episode with two minutes of audio. Half of its bytes make a download. */
export interface LoggedEpisode {
  readonly podcastId: string;
  readonly id: string;
  readonly blobKey: string;
  readonly path: string;
  readonly sizeBytes: number;
  readonly neededBytes: number;
}

export async function makeLoggedEpisode(
  ctx: Context,
  podcast?: Podcast,
  slug = 'one',
): Promise<LoggedEpisode> {
  const show = podcast ?? (await makePodcast(ctx));
  const { id } = await makeEpisode(ctx, show, { slug });
  await attachTone(ctx, id, 120);
  const audio = await findAudio(ctx, id);
  if (audio?.sizeBytes == null || audio.blobKey === null) throw new Error('no audio');
  const { blobKey, sizeBytes, bitrateBps } = audio;
  const neededBytes = ((bitrateBps ?? 0) * 60) / 8;
  return {
    podcastId: show.id,
    id,
    blobKey,
    path: `/media/${id}/f/${slug}.mp3`,
    sizeBytes,
    neededBytes,
  };
}

export interface LoggedRequest {
  readonly at: Date;
  readonly address: string;
  readonly userAgent: string;
  readonly uri: string;
  readonly method: string;
  readonly status: number;
  readonly bytes: number;
  readonly range: string;
}

/** Makes a log line. By default, a listener received the whole audio just now. */
export function makeLogLine(
  test: Pick<TestContext, 'clock'>,
  episode: LoggedEpisode,
  input: Partial<LoggedRequest> = {},
): string {
  const request: LoggedRequest = {
    at: test.clock.now(),
    address: '203.0.113.7',
    userAgent: 'AntennaPod/3.4',
    uri: episode.path,
    method: 'GET',
    status: 200,
    bytes: episode.sizeBytes,
    range: '',
    ...input,
  };
  return `${JSON.stringify({
    time: request.at.toISOString(),
    remote_addr: request.address,
    method: request.method,
    uri: request.uri,
    status: request.status,
    body_bytes_sent: request.bytes,
    http_range: request.range,
    http_user_agent: request.userAgent,
    http_referer: '',
  })}\n`;
}

/** Lines of that many listeners. */
export function makeLogLines(
  test: Pick<TestContext, 'clock'>,
  episode: LoggedEpisode,
  count: number,
  first = 1,
): string {
  const lines = Array.from({ length: count }, (_, n) =>
    makeLogLine(test, episode, {
      address: `10.0.${Math.floor((first + n) / 250)}.${(first + n) % 250}`,
    }),
  );
  return lines.join('');
}

/** All downloads of the episode. */
export async function countedDownloads(
  { database }: TestContext,
  { id }: LoggedEpisode,
): Promise<number> {
  const { rows } = await database.pool.query(
    'select downloads from episode_download_totals where episode_id = $1',
    [id],
  );
  return rows[0]?.downloads ?? 0;
}

/** Counts the stored requests for the episode. A line that is read twice would count twice. */
export async function countRequests(
  { database }: TestContext,
  { id }: LoggedEpisode,
): Promise<number> {
  const { rows } = await database.pool.query(
    'select count(*)::int as n from download_requests where episode_id = $1',
    [id],
  );
  return rows[0].n;
}
