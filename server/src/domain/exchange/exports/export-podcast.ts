import rootPackage from '../../../../../package.json' with { type: 'json' };
import { type AttemptLimit, consumeAttempt } from '../../foundation/accounts/index.ts';
import type { Context } from '../../foundation/context.ts';
import { requireFound } from '../../foundation/errors.ts';
import { authorize } from '../../foundation/permissions/index.ts';
import { requireUser } from '../../foundation/principal.ts';
import { findPublicPodcast } from '../../public/catalogue/index.ts';
import { streamFeed } from '../../public/feeds/index.ts';
import { readListings } from '../../publishing/distribution/index.ts';
import { selectEpisodeIds } from '../../publishing/episodes/index.ts';
import { readPeople } from '../../publishing/people/index.ts';
import {
  isOwner,
  type PodcastSettings,
  readPodcastSettings,
} from '../../publishing/podcasts/index.ts';
import { type ExportEntry, listEpisodeFiles } from './episode-files.ts';
import { selectDownloadDays, selectExportedEpisodes } from './exported-episodes.sql.ts';
import { manifestName, newManifest, rowsPath } from './show-manifest.ts';
import { type OpenSnapshot, spoolShow } from './spool-show.ts';

const { version: release } = rootPackage;

export interface PodcastExport {
  readonly slug: string;
  readonly accountId: string;
  /** Whether it is for the owner of the show. */
  readonly isOwner: boolean;
  /** The last one is the manifest: an export that has none was interrupted. */
  readonly entries: AsyncGenerator<ExportEntry>;
}

interface ExportOptions {
  readonly audio: boolean;
  readonly openSnapshot: OpenSnapshot;
  /** Aborts when nobody waits for the export any more. */
  readonly signal?: AbortSignal | undefined;
}

// An export may read hundreds of gigabytes.
const perUser: AttemptLimit = { name: 'exports-user', most: 30, windowMs: 3_600_000 };
const episodesAtOnce = 50;

/**
 * Exports a show: its rows as they were at one moment, from which `restorePodcast` makes it again; its
 * pictures, and its audio if wanted; and files for people, which are read as it goes.
 */
export async function exportPodcast(
  ctx: Context,
  podcastId: string,
  options: ExportOptions,
): Promise<PodcastExport> {
  await authorize(ctx, 'podcast.export', { podcastId });
  if (ctx.principal.kind === 'user') await consumeAttempt(ctx, [perUser, requireUser(ctx)]);
  const show = await readPodcastSettings(ctx, podcastId);
  // A permission is checked at the beginning only: an export that was allowed is sent completely.
  const description = await describeShow(ctx, show);
  const { slug, accountId, membership } = show;
  const entries = listEntries(ctx, show, description, options);
  return { slug, accountId, isOwner: isOwner(membership), entries };
}

async function* listEntries(
  ctx: Context,
  show: PodcastSettings,
  description: ExportEntry,
  { audio, openSnapshot, signal }: ExportOptions,
): AsyncGenerator<ExportEntry> {
  // Members are never shown addresses with a secret, not even their own.
  const withCredentials = ctx.principal.kind !== 'user';
  await using spooled = await spoolShow(ctx, show.id, openSnapshot, { withCredentials, signal });
  yield description;
  yield await listDownloads(ctx, show.id);
  yield await describeFeed(ctx, show);
  for await (const ids of selectEpisodeIds(ctx.db, show.id, episodesAtOnce)) {
    for (const episode of await selectExportedEpisodes(ctx.db, ids))
      yield* listEpisodeFiles(ctx, episode);
  }
  const modifiedAt = spooled.at;
  for await (const files of spooled.files()) {
    for (const { path, key, sizeBytes } of files) {
      if (!audio && path.startsWith('episodes/')) continue;
      yield { path, modifiedAt, content: { kind: 'blob', key, sizeBytes } };
    }
  }
  for (const { name } of spooled.tables) {
    const content = { kind: 'text', pieces: spooled.read(name) } as const;
    yield { path: rowsPath(name), modifiedAt, content };
  }
  const manifest = newManifest({
    release,
    exported_at: modifiedAt.toISOString(),
    base_url: ctx.installation.baseUrl,
    podcast_id: show.id,
    slug: show.slug,
    audio,
    downloads: spooled.downloads,
    tables: [...spooled.tables],
  });
  yield { path: manifestName, modifiedAt, content: { kind: 'data', value: manifest } };
}

async function describeShow(ctx: Context, show: PodcastSettings): Promise<ExportEntry> {
  const { may, membership, plan, alwaysPoweredBy, accountId, domain, revision, ...fields } = show;
  const people = await readPeople(ctx, show.id);
  const listings = await readListings(ctx, show.id);
  const modifiedAt = ctx.clock.now();
  return {
    path: 'show.json',
    modifiedAt,
    content: {
      kind: 'data',
      value: {
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
