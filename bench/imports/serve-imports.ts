import type { AddressInfo } from 'node:net';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { createKeyUseRecorder } from '../../server/src/domain/access/keys/index.ts';
import { importFeed } from '../../server/src/domain/exchange/imports/index.ts';
import { createUser } from '../../server/src/domain/foundation/accounts/index.ts';
import { anyone, system } from '../../server/src/domain/foundation/principal.ts';
import { createHttp } from '../../server/src/http/create-http.ts';
import { createMemoryQuotas } from '../../server/src/platform/rate-limiter/create-memory-quotas.ts';
import { watchEventLoop } from '../../server/test/watch-event-loop.ts';
import { answerParent, readInput } from '../answer-parent.ts';
import { openInstallation, type Place } from '../installation/open-installation.ts';
import type { Asked, Measured } from './measure-import.ts';

// An installation as `serve` runs it, which also imports feeds like the command `import`.

const app = await openInstallation(readInput<Place>());
const { http: settings } = app.config;
const http = await createHttp({
  ctx: app.contextFor(anyone),
  database: app.database,
  limits: {
    public: { consume: () => true },
    refused: { consume: () => true, isUsedUp: () => false },
    hub: { consume: () => true },
    exchanges: { consume: () => true },
    quotas: createMemoryQuotas(),
  },
  keyUses: createKeyUseRecorder(app.contextFor(system), app.geo),
  trustProxy: settings.trustProxy,
  accelRedirect: settings.accelRedirect,
  readiness: { database: () => app.database.ping() },
});
await http.server.listen({ port: 0, host: '127.0.0.1' });
const { port } = http.server.server.address() as AddressInfo;
const turns = watchEventLoop();
const pauses = monitorEventLoopDelay({ resolution: 5 });
pauses.enable();
let users = 0;

answerParent(`http://127.0.0.1:${port}`, {
  /** Makes the owner of a new show. */
  async makeOwner() {
    users += 1;
    const email = `owner-${users}@example.com`;
    await createUser(app.ctx, { email, password: 'correct horse battery', name: 'Ana' });
    return email;
  },
  async import({ url, owner, dryRun }: Asked): Promise<Measured> {
    turns.restart();
    pauses.reset();
    const startedAt = performance.now();
    const outcome = await importFeed(app.ctx, {
      source: { url },
      owner: { email: owner },
      copyAudio: false,
      dryRun,
      ignoreLock: true,
    }).then(
      ({ created, updated, unchanged, failed }) =>
        `${created} new, ${updated} changed, ${unchanged} unchanged, ${failed} failed`,
      (error: unknown) => (error as Error).message,
    );
    return {
      seconds: (performance.now() - startedAt) / 1000,
      turnMs: turns.longestMs,
      pauseMs: pauses.max / 1e6,
      outcome,
    };
  },
});
