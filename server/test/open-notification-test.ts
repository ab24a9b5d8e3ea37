import type { IncomingMessage, ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import {
  createFeedNotifiers,
  type FeedNotificationOptions,
} from '../src/domain/exchange/feed-notifications/start-feed-notifications.ts';
import type { Context } from '../src/domain/foundation/context.ts';
import { attachTone } from '../src/domain/publishing/audio/index.ts';
import type { Episode } from '../src/domain/publishing/episodes/index.ts';
import type { Podcast } from '../src/domain/publishing/podcasts/index.ts';
import type { Limits } from '../src/http/create-http.ts';
import { createTestApp, type TestApp } from './create-test-app.ts';
import { createSiteClient } from './hosts/hostile-sites.ts';
import { type HttpHost, openHttpHost } from './hosts/http-host.ts';
import { makeEpisode } from './make.ts';
import type { DatabaseSource } from './test-database.ts';

type Handle = (request: IncomingMessage, response: ServerResponse) => void;

/** A request to a channel: `/index…`, `/podping…` or `/hub`. */
export interface ToldChannel {
  readonly method: string;
  readonly path: string;
  readonly body: string;
  readonly headers: IncomingMessage['headers'];
}

/** An installation, and one server that is all its channels. */
export interface NotificationTest extends AsyncDisposable {
  readonly test: TestApp;
  readonly host: HttpHost;
  /** What the channels received, in order. */
  readonly received: ToldChannel[];
  /** Sets how the channels respond; undefined: with 204. */
  respond(handle: Handle | undefined): void;
  /** Runs the work of a worker, until nothing is due any more. */
  send(ctx?: Context, options?: Partial<FeedNotificationOptions>): Promise<void>;
  /** The channels that were told since the last call, by their paths' first word. */
  told(): string[];
  /** An episode that is in the feed. */
  makeListed(podcast: Podcast, input?: Parameters<typeof makeEpisode>[2]): Promise<Episode>;
  rows(sql: string, values?: unknown[]): Promise<Record<string, unknown>[]>;
}

export async function openNotificationTest(
  settings: Record<string, string> = {},
  databases?: DatabaseSource,
  limits: Partial<Limits> = {},
): Promise<NotificationTest> {
  await using opened = new AsyncDisposableStack();
  const received: ToldChannel[] = [];
  let handle: Handle | undefined;
  let seen = 0;
  const host = opened.use(
    await openHttpHost((request, response) => {
      void text(request).then((body) => {
        const { method = '', url = '', headers } = request;
        received.push({ method, path: url, body, headers });
        if (handle === undefined) response.writeHead(204).end();
        else handle(request, response);
      });
    }),
  );
  const all = {
    BASE_URL: 'https://pods.test',
    PODCAST_INDEX_URL: `${host.url}/index`,
    PODPING_URL: `${host.url}/podping?v=1`,
    PODPING_TOKEN: 'a-token',
    WEBSUB_HUBS: `${host.url}/hub`,
  };
  const test = opened.use(
    await createTestApp(
      { ...all, ...settings },
      { outbound: createSiteClient(undefined), databases, limits },
    ),
  );
  const resources = opened.move();
  return {
    ...{ test, host, received },
    respond: (next) => {
      handle = next;
    },
    async send(ctx = test.ctx, options = {}) {
      const { signal } = new AbortController();
      const counts = test.notificationCounts;
      const notifiers = createFeedNotifiers(ctx, { signal, counts, ...options });
      for (const notifier of notifiers) {
        await notifier.runOnce();
        await notifier.settled();
      }
    },
    told() {
      const paths = received.slice(seen).map(({ path }) => /^\/(\w+)/.exec(path)?.[1] ?? path);
      seen = received.length;
      return paths.sort();
    },
    async makeListed(podcast, input = {}) {
      const episode = await makeEpisode(test.ctx, podcast, input);
      await attachTone(test.ctx, episode.id, 1);
      return episode;
    },
    rows: async (sql, values = []) => (await test.database.pool.query(sql, values)).rows,
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  };
}
