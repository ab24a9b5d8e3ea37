import type { IncomingMessage, ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import {
  createPinger as createPingSender,
  type Pinger,
  type PingerOptions,
} from '../src/domain/exchange/sites/pings/pinger.ts';
import { PingCounts } from '../src/domain/exchange/sites/pings/send-ping.ts';
import type { Context } from '../src/domain/foundation/context.ts';
import type { Podcast } from '../src/domain/publishing/podcasts/index.ts';
import { createTestContext, type TestContext } from './create-test-context.ts';
import { type Certificate, testHost } from './hosts/certificate.ts';
import { createSiteClient } from './hosts/hostile-sites.ts';
import { type HttpHost, openHttpHost } from './hosts/http-host.ts';
import { makePodcast, makeUser } from './make.ts';
import { makeSite } from './make-site.ts';
import type { DatabaseSource } from './test-database.ts';

type Handle = (request: IncomingMessage, response: ServerResponse) => void;

interface Received {
  readonly path: string;
  readonly body: string;
  readonly headers: IncomingMessage['headers'];
}

export interface PingedSite {
  readonly id: string;
  /** Acts as the site. */
  readonly ctx: Context;
  readonly userId: string;
  readonly keyId: string;
  readonly pingSecret: string;
}

interface NewSite {
  /** Default: one podcast without episodes. */
  readonly podcasts?: readonly Podcast[];
  readonly userId?: string;
  /** Default: on the test's server. */
  readonly restRoot?: string;
  readonly active?: boolean;
}

/** An installation, and a server with its sites. */
export interface PingTest extends AsyncDisposable {
  readonly test: TestContext;
  readonly host: HttpHost;
  /** Pings that the sites received, in order. */
  readonly received: Received[];
  readonly counts: PingCounts;
  /** Sets how the sites respond; undefined: with 204. */
  respond(handle: Handle | undefined): void;
  makeSite(input?: NewSite): Promise<PingedSite>;
  /** Simulates a new change in the site's feed. */
  addChange(site: PingedSite): Promise<void>;
  createPinger(options?: Partial<PingerOptions>, ctx?: TestContext['ctx']): Pinger;
  /** Runs the work of a worker once, with all pings that it begins. */
  send(pinger?: Pinger): Promise<void>;
  rows(sql: string, values?: unknown[]): Promise<Record<string, unknown>[]>;
}

/** Without a certificate the sites cannot be reached. */
export async function openPingTest(
  tls?: Certificate,
  databases?: DatabaseSource,
): Promise<PingTest> {
  await using opened = new AsyncDisposableStack();
  const received: Received[] = [];
  let handle: Handle | undefined;
  const host = opened.use(
    await openHttpHost((request, response) => {
      void text(request).then((body) => {
        received.push({ path: request.url ?? '', body, headers: request.headers });
        if (handle === undefined) response.writeHead(204).end();
        else handle(request, response);
      });
    }, tls),
  );
  const test = opened.use(
    await createTestContext({}, { outbound: createSiteClient(tls), databases }),
  );
  const { signal } = new AbortController();
  const counts = new PingCounts();
  const limits = { connectTimeoutMs: 20_000, timeoutMs: 20_000 };
  const rows: PingTest['rows'] = async (sql, values = []) =>
    (await test.database.pool.query(sql, values)).rows;
  const createPinger: PingTest['createPinger'] = (options = {}, ctx = test.ctx) =>
    createPingSender(ctx, { signal, counts, limits, ...options });
  const makeOne = createSiteFactory(test, host, rows);
  const resources = opened.move();
  return {
    ...{ test, host, received, counts, createPinger, rows, makeSite: makeOne },
    respond: (next) => {
      handle = next;
    },
    async addChange({ id }) {
      await rows('update sites set head_seq = head_seq + 1 where id = $1', [id]);
    },
    async send(pinger = createPinger()) {
      await pinger.runOnce();
      await pinger.settled();
    },
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  };
}

/** The maximum for a user. */
const sitesOfOwner = 50;

/** Writes addresses with a port directly to the database, because connecting refuses them. */
function createSiteFactory(
  { ctx }: TestContext,
  { port }: HttpHost,
  rows: PingTest['rows'],
): PingTest['makeSite'] {
  const owners: Promise<Podcast & { readonly ownerId: string }>[] = [];
  let made = 0;
  const makeOwned = async () => {
    const owner = await makeUser(ctx);
    return { ...(await makePodcast(ctx, { owner })), ownerId: owner.id };
  };
  return async ({ podcasts, userId, restRoot, active = true } = {}) => {
    const at = Math.floor(made / sitesOfOwner);
    made += 1;
    owners[at] ??= makeOwned();
    const podcast = await owners[at];
    const user = { id: userId ?? podcast.ownerId };
    const site = await makeSite(ctx, user, podcasts ?? [podcast], { active });
    const { siteId: id, keyId, pingSecret, ctx: asSite } = site;
    const root = restRoot ?? `https://${testHost}:${port}/${id}/wp-json/`;
    await rows('update sites set rest_root = $2 where id = $1', [id, root]);
    return { id, userId: user.id, keyId, pingSecret, ctx: asSite };
  };
}
