import type { IncomingMessage, ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import {
  createWebhook,
  type WebhookType,
  type WebhookWithSecret,
} from '../src/domain/exchange/webhooks/index.ts';
import {
  createWebhookSender,
  type WebhookSender,
  type WebhookSenderOptions,
} from '../src/domain/exchange/webhooks/sending/webhook-sender.ts';
import type { Context } from '../src/domain/foundation/context.ts';
import type { Podcast } from '../src/domain/publishing/podcasts/index.ts';
import { webhookTypes } from '../src/lib/limits.ts';
import type { OutboundHttp } from '../src/platform/outbound-http/outbound-http.ts';
import { createTestContext, type TestContext } from './create-test-context.ts';
import { type Certificate, testHost } from './hosts/certificate.ts';
import { createSiteClient } from './hosts/hostile-sites.ts';
import { type HttpHost, openHttpHost } from './hosts/http-host.ts';
import type { DatabaseSource } from './test-database.ts';

type Handle = (request: IncomingMessage, response: ServerResponse) => void;

/** The body of a delivery. */
export interface Told {
  readonly id: string;
  readonly type: string;
  readonly created_at: string;
  readonly podcast_id: string;
  readonly episode_id: string | null;
  readonly data: Record<string, unknown> | null;
}

export interface ReceivedDelivery {
  readonly path: string;
  readonly body: string;
  readonly headers: IncomingMessage['headers'];
  readonly told: Told;
}

/** An installation, and a server with receivers of webhooks. */
export interface WebhookTest extends AsyncDisposable {
  readonly test: TestContext;
  readonly host: HttpHost;
  /** In order. */
  readonly received: ReceivedDelivery[];
  /** Sets how receivers respond; undefined: with 204. */
  respond(handle: Handle | undefined): void;
  /** On the test's server by default, for everything. */
  makeWebhook(
    podcast: Podcast,
    input?: { readonly path?: string; readonly url?: string; readonly types?: WebhookType[] },
  ): Promise<WebhookWithSecret>;
  createSender(options?: Partial<WebhookSenderOptions>, ctx?: Context): WebhookSender;
  /** Runs the work of a worker until nothing is due. */
  send(sender?: WebhookSender): Promise<void>;
  /** Sends, and returns the types that arrived since the last call. */
  told(): Promise<string[]>;
  rows(sql: string, values?: unknown[]): Promise<Record<string, unknown>[]>;
}

export async function openWebhookTest(
  tls: Certificate | undefined,
  databases?: DatabaseSource,
  outbound: OutboundHttp = createSiteClient(tls),
): Promise<WebhookTest> {
  await using opened = new AsyncDisposableStack();
  const received: ReceivedDelivery[] = [];
  let handle: Handle | undefined;
  const host = opened.use(
    await openHttpHost((request, response) => {
      void text(request).then((body) => {
        const { url: path = '', headers } = request;
        received.push({ path, body, headers, told: JSON.parse(body) as Told });
        if (handle === undefined) response.writeHead(204).end();
        else handle(request, response);
      });
    }, tls),
  );
  const test = opened.use(await createTestContext({}, { outbound, databases }));
  const { signal } = new AbortController();
  const present = await test.loadWebhookPresenter();
  // Tests are faster than a minute.
  const rate = { perShow: 100_000, perAccount: 100_000, perHost: 100_000 };
  const limits = { connectTimeoutMs: 20_000, timeoutMs: 20_000, bodyTimeoutMs: 20_000 };
  const createSender: WebhookTest['createSender'] = (options = {}, ctx = test.ctx) =>
    createWebhookSender(ctx, {
      signal,
      present,
      counts: test.webhookCounts,
      limits,
      rate,
      ...options,
    });
  const send: WebhookTest['send'] = async (sender = createSender()) => {
    // Twice: what a run hashes may be needed to tell what has changed.
    for (let run = 0; run < 2; run += 1) {
      await sender.runOnce();
      await sender.settled();
    }
  };
  const resources = opened.move();
  return {
    ...{ test, host, received, createSender, send },
    rows: async (sql, values = []) => (await test.database.pool.query(sql, values)).rows,
    respond: (next) => {
      handle = next;
    },
    makeWebhook: (podcast, { path = '/hook', url, types = [...webhookTypes] } = {}) =>
      createWebhook(test.ctx, {
        podcastId: podcast.id,
        url: url ?? `https://${testHost}:${host.port}${path}`,
        types,
      }),
    async told() {
      received.length = 0;
      await send();
      return received.map(({ told }) => told.type);
    },
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  };
}
