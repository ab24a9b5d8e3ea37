import {
  type AudioRequest,
  type Ingested,
  type IngestOptions,
  ingestRequests,
} from '../src/domain/audience/downloads/index.ts';
import type { Context } from '../src/domain/foundation/context.ts';
import { newId } from '../src/lib/uuid.ts';
import type { TestContext } from './create-test-context.ts';
import { exampleRequest } from './example-request.ts';
import { makeEpisode, makePodcast } from './make.ts';

/** A show with two episodes. */
export interface Show {
  readonly podcastId: string;
  readonly episodeIds: readonly [string, string];
}

export async function makeShow(ctx: Context): Promise<Show> {
  const podcast = await makePodcast(ctx);
  const [one, two] = [await makeEpisode(ctx, podcast), await makeEpisode(ctx, podcast)];
  return { podcastId: podcast.id, episodeIds: [one.id, two.id] };
}

/** Makes a request; by default, one that is a download of the first episode. */
export function makeAudioRequest(
  ctx: Context,
  { podcastId, episodeIds }: Show,
  input: Partial<AudioRequest> = {},
): AudioRequest {
  const at = ctx.clock.now();
  return { ...exampleRequest, at, podcastId, episodeId: episodeIds[0], ...input };
}

export function ingest(ctx: Context, ...requests: readonly AudioRequest[]): Promise<Ingested> {
  return ingestRequests(ctx, { id: newId(), requests });
}

/** Makes downloads of an episode by different listeners, counted like real requests. */
export async function makeDownloads(
  ctx: Context,
  episode: { readonly podcastId: string; readonly id: string },
  count: number,
  input: Partial<AudioRequest> = {},
  options: IngestOptions = {},
): Promise<void> {
  const show: Show = { podcastId: episode.podcastId, episodeIds: [episode.id, episode.id] };
  const requests = Array.from({ length: count }, () => {
    const listener = newId().replaceAll('-', '');
    return makeAudioRequest(ctx, show, { listener, ...input });
  });
  await ingestRequests(ctx, { id: newId(), requests }, options);
}

/** Sets a podcast's sum of a UTC day, where so many requests would take too long. */
export async function setDownloadsOfDay(
  { database }: Pick<TestContext, 'database'>,
  podcastId: string,
  day: string,
  downloads: number,
): Promise<void> {
  await database.pool.query(
    `insert into podcast_download_days (podcast_id, day, downloads, listeners)
     values ($1, $2, $3, 1) on conflict (podcast_id, day) do update set downloads = $3`,
    [podcastId, day, downloads],
  );
  await database.pool.query(
    `insert into podcast_download_months (podcast_id, month, downloads)
     select podcast_id, date_trunc('month', $2::timestamp), sum(downloads) from podcast_download_days
     where podcast_id = $1 and date_trunc('month', day::timestamp) = date_trunc('month', $2::timestamp)
     group by 1 on conflict (podcast_id, month) do update set downloads = excluded.downloads`,
    [podcastId, day],
  );
}
