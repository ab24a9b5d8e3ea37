import {
  type FeedToImport,
  type ImportReport,
  importFeed,
} from '../src/domain/exchange/imports/index.ts';
import type { User } from '../src/domain/foundation/accounts/index.ts';
import { createTestContext, type TestContext } from './create-test-context.ts';
import { openPodcastHost, type PodcastHost } from './hosts/podcast-host.ts';
import { makeUser } from './make.ts';
import type { DatabaseSource } from './test-database.ts';

export interface EpisodeRow {
  readonly id: string;
  readonly slug: string;
  readonly title: string;
  readonly description: string;
  readonly status: string;
  readonly episode_number: number;
  readonly season: number | null;
  readonly guid: string | null;
  readonly published_at: Date | null;
  readonly scheduled_for: Date | null;
  readonly show_notes_html: string | null;
  readonly updated_at: Date;
  readonly artwork_id: string | null;
  readonly source_key: string | null;
  readonly source_guid_sha256: string | null;
  readonly source_enclosure_sha256: string | null;
  /** The key of its audio. */
  readonly blob_key: string | null;
  readonly source_url: string | null;
  readonly audio_updated_at: Date | null;
}

/** An installation, another podcast host, and a user who imports from it. */
export interface ImportFixture extends AsyncDisposable {
  readonly test: TestContext;
  readonly host: PodcastHost;
  readonly owner: User;
  /** Imports the host's /feed.xml, a second after the last import. */
  run(input?: Partial<FeedToImport>): Promise<ImportReport>;
  rows<T extends object>(text: string, values?: unknown[]): Promise<T[]>;
  /** Ordered by number. */
  episodesOf(podcastId: string | null): Promise<EpisodeRow[]>;
}

export async function openImportFixture(
  databases?: DatabaseSource,
  settings: Record<string, string> = {},
): Promise<ImportFixture> {
  await using opened = new AsyncDisposableStack();
  const test = opened.use(
    await createTestContext({ OUTBOUND_ALLOW: '127.0.0.0/8', ...settings }, { databases }),
  );
  const fixture = opened.use(await openImportFixtureIn(test));
  const resources = opened.move();
  return { ...fixture, [Symbol.asyncDispose]: () => resources.disposeAsync() };
}

/** Another host and another user, in an installation that tests share. */
export async function openImportFixtureIn(test: TestContext): Promise<ImportFixture> {
  const host = await openPodcastHost();
  const owner = await makeUser(test.ctx);
  const rows = async <T extends object>(text: string, values: unknown[] = []): Promise<T[]> =>
    (await test.database.pool.query<T>(text, values)).rows;
  return {
    test,
    host,
    owner,
    rows,
    run: (input = {}) => {
      test.clock.advance(1000);
      const source = { url: `${host.url}/feed.xml` };
      return importFeed(test.ctx, { source, owner, copyAudio: true, ...input });
    },
    episodesOf: (podcastId) =>
      rows<EpisodeRow>(
        `select e.*, a.blob_key, a.source_url, a.updated_at as audio_updated_at
         from episodes e left join audio_files a on a.episode_id = e.id
         where podcast_id = $1 order by episode_number, e.id`,
        [podcastId],
      ),
    [Symbol.asyncDispose]: () => host[Symbol.asyncDispose](),
  };
}
