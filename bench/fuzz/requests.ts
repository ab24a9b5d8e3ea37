import type { App } from '../../server/src/app.ts';
import type { Figure, Part, Run } from '../bench.ts';
import { createBenchDatabase, postgresAvailable } from '../installation/bench-database.ts';
import { openInstallation } from '../installation/open-installation.ts';
import { type RunningServer, startServe } from '../memory/running-server.ts';
import { makeTempFolder } from '../temp-folder.ts';
import { type FuzzedRequest, RequestMaker } from './make-request.ts';
import { Random } from './random.ts';
import { type FuzzedResponse, Sender } from './send.ts';
import { makeWorld } from './world.ts';

const requests = Number(process.env['FUZZ_REQUESTS'] ?? 20_000);
const seed = Number(process.env['FUZZ_SEED'] ?? Date.now() % 1_000_000);
const connections = 16;
/** Requests delete users, sessions and shows, so new ones are made now and then. */
const requestsPerWorld = 2_000;
const requestsPerReport = 10_000;
const brokenShare = 0.1;
const mostRemarks = 40;
const deliberate: ReadonlySet<number> = new Set([501, 503, 507]);

export const requestsPart: Part = {
  name: 'requests',
  about: `FUZZ_REQUESTS (${requests}) requests made from the routes, with FUZZ_SEED`,
  async measure(run) {
    if (!(await postgresAvailable())) {
      run.say('  no PostgreSQL server, which this process could share with the server');
      return [];
    }
    await using folder = await makeTempFolder();
    await using database = await createBenchDatabase();
    const place = { dataDir: folder.path, databaseUrl: database.url };
    await using app = await openInstallation(place);
    await using server = await startServe({
      ...place,
      settings: { TRUST_PROXY: '1', LOG_LEVEL: 'error' },
      signal: run.signal,
    });
    const tally = new Tally();
    await fuzz(run, app, server, folder.path, tally);
    return [tally.describe(await isAlive(server))];
  },
};

async function fuzz(
  { signal, say }: Run,
  app: App,
  server: RunningServer,
  folder: string,
  tally: Tally,
): Promise<void> {
  const random = new Random(seed);
  const maker = new RequestMaker(random, originOf(server), await makeWorld(app, folder));
  using sender = new Sender(server.url, connections);
  let sent = 0;
  const sendSome = async (): Promise<void> => {
    while (sent < requests && !signal.aborted) {
      sent += 1;
      if (sent % requestsPerReport === 0) say(`  ${sent} sent: ${tally}`);
      if (sent % requestsPerWorld === 0) {
        maker.world = await makeWorld(app, folder);
        if (!(await isAlive(server))) return;
      }
      const request = maker.make();
      const isBroken = random.chance(brokenShare);
      const response = isBroken
        ? await sender.sendBroken(random, request)
        : await sender.send(request);
      tally.add(request, response);
      if (response.text !== '') maker.learn(response.text);
    }
  };
  await Promise.all(Array.from({ length: connections }, sendSome));
}

/** The default BASE_URL, whose pages may send requests to the private API. */
function originOf({ url }: RunningServer): string {
  return `http://localhost:${new URL(url).port}`;
}

async function isAlive({ url }: RunningServer): Promise<boolean> {
  return await fetch(`${url}/healthz`).then(
    ({ ok }) => ok,
    () => false,
  );
}

/** Counts the responses by status, and keeps the requests that should have had another response. */
class Tally {
  readonly #counts = new Map<string, number>();
  readonly #remarks = new Set<string>();
  #failures = 0;

  add(
    { method, target, body = '' }: FuzzedRequest,
    { status, text, isSilent }: FuzzedResponse,
  ): void {
    const name = isSilent ? 'silent' : String(status ?? 'closed');
    this.#counts.set(name, (this.#counts.get(name) ?? 0) + 1);
    // 503 and 507: a part of the service is away, busy or full. 501 is oEmbed's refusal of XML.
    const isFailure =
      isSilent || (status !== undefined && status >= 500 && !deliberate.has(status));
    if (!isFailure) return;
    this.#failures += 1;
    const shown = `${name}: ${method} ${target.slice(0, 300)} ${body.slice(0, 500)} → ${text.slice(-400)}`;
    if (this.#remarks.size < mostRemarks) this.#remarks.add(JSON.stringify(shown));
  }

  toString(): string {
    return [...this.#counts]
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, count]) => `${name} ${count}`)
      .join(', ');
  }

  describe(isAlive: boolean) {
    const count = (name: string) => this.#counts.get(name) ?? 0;
    const figures: Figure[] = [
      { name: 'servers that ended', value: isAlive ? 0 : 1, unit: 'ratio', aim: { atMost: 0 } },
      {
        name: 'responses of 500 and more, and none',
        value: this.#failures,
        unit: 'ratio',
        aim: { atMost: 0 },
      },
      {
        name: 'responds with 501, 503 and 507',
        value: count('501') + count('503') + count('507'),
        unit: 'ratio',
      },
    ];
    const remarks = [`${this}`, ...this.#remarks];
    return { title: `${requests} random requests, seed ${seed}`, figures, remarks };
  }
}
