import { type AttemptLimit, consumeAttempt } from '../../foundation/accounts/index.ts';
import type { Context } from '../../foundation/context.ts';
import { requireFound } from '../../foundation/errors.ts';
import { authorize } from '../../foundation/permissions/index.ts';
import { requireUser } from '../../foundation/principal.ts';
import { findPublicPodcast } from '../../public/catalogue/index.ts';
import { streamFeed } from '../../public/feeds/index.ts';
import { readListings } from '../../publishing/distribution/index.ts';
import { imageKey } from '../../publishing/images/index.ts';
import { readPeople } from '../../publishing/people/index.ts';
import { type PodcastSettings, readPodcastSettings } from '../../publishing/podcasts/index.ts';
import { type ExportEntry, listEpisodeFiles } from './episode-files.ts';
import {
  selectDownloadDays,
  selectEpisodeIds,
  selectExportedEpisodes,
  selectExportedImages,
} from './exported-episodes.sql.ts';

export interface PodcastExport {
  readonly slug: string;
  /** Reads as it goes: what changes meanwhile is exported as it is then. */
  readonly entries: AsyncGenerator<ExportEntry>;
}

// An export may read hundreds of gigabytes.
const perUser: AttemptLimit = { name: 'exports-user', most: 30, windowMs: 3_600_000 };
const episodesAtOnce = 50;

/** Exports a show with all its episodes, texts and pictures, and with its audio if wanted. */
export async function exportPodcast(
  ctx: Context,
  podcastId: string,
  { audio }: { readonly audio: boolean },
): Promise<PodcastExport> {
  await authorize(ctx, 'podcast.export', { podcastId });
  await consumeAttempt(ctx, [perUser, requireUser(ctx)]);
  const show = await readPodcastSettings(ctx, podcastId);
  // A permission is checked at the beginning only: an export that was allowed is sent completely.
  const description = await describeShow(ctx, show);
  return { slug: show.slug, entries: listEntries(ctx, show, description, audio) };
}

async function* listEntries(
  ctx: Context,
  show: PodcastSettings,
  description: ExportEntry,
  withAudio: boolean,
): AsyncGenerator<ExportEntry> {
  yield description;
  yield await listDownloads(ctx, show.id);
  yield await describeFeed(ctx, show);
  for await (const ids of selectEpisodeIds(ctx.db, show.id, episodesAtOnce)) {
    for (const episode of await selectExportedEpisodes(ctx.db, ids))
      yield* listEpisodeFiles(ctx, episode, withAudio);
  }
  for (const { id, contentType, sizeBytes, createdAt } of await selectExportedImages(
    ctx.db,
    show.id,
  )) {
    const path = imagePath(id, contentType);
    const content = { kind: 'blob', key: imageKey(id, contentType), sizeBytes } as const;
    yield { path, modifiedAt: createdAt, content };
  }
}

function imagePath(id: string, contentType: string): string {
  return `images/${id}.${contentType === 'image/png' ? 'png' : 'jpg'}`;
}

async function describeShow(ctx: Context, show: PodcastSettings): Promise<ExportEntry> {
  const { may, membership, plan, alwaysPoweredBy, accountId, revision, ...fields } = show;
  const people = await readPeople(ctx, show.id);
  const listings = await readListings(ctx, show.id);
  const modifiedAt = ctx.clock.now();
  return {
    path: 'show.json',
    modifiedAt,
    content: {
      kind: 'data',
      value: {
        format: 'podstead-show',
        formatVersion: 1,
        exportedAt: modifiedAt,
        ...fields,
        people: people.map(({ podcastId: _, userId: __, ...person }) => person),
        directories: listings
          .filter(({ status }) => status !== 'todo')
          .map(({ directory, name, status, url }) => ({ directory, name, status, url })),
      },
    },
  };
}

async function listDownloads(ctx: Context, podcastId: string): Promise<ExportEntry> {
  const days = await selectDownloadDays(ctx.db, podcastId);
  const modifiedAt = ctx.clock.now();
  return { path: 'downloads.json', modifiedAt, content: { kind: 'data', value: { days } } };
}

/** As the public gets it, or would if the show were public; in one file however long it is. */
async function describeFeed(ctx: Context, { id }: PodcastSettings): Promise<ExportEntry> {
  const show = requireFound(await findPublicPodcast(ctx, id), 'podcast');
  const content = { kind: 'text', pieces: streamFeed(ctx, show) } as const;
  return { path: 'feed.xml', modifiedAt: ctx.clock.now(), content };
}
