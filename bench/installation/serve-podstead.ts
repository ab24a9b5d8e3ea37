import { readFileSync, writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { createKeyUseRecorder } from '../../server/src/domain/access/keys/index.ts';
import { anyone, system } from '../../server/src/domain/foundation/principal.ts';
import { createHttp } from '../../server/src/http/create-http.ts';
import { createMemoryLimiter } from '../../server/src/platform/rate-limiter/create-memory-limiter.ts';
import { createMemoryQuotas } from '../../server/src/platform/rate-limiter/create-memory-quotas.ts';
import { type EventLoopWatch, watchEventLoop } from '../../server/test/watch-event-loop.ts';
import { answerParent, readInput } from '../answer-parent.ts';
import { openInstallation, type Place } from './open-installation.ts';

// An installation as `serve` runs it. Its limits are on, but too high to be reached.

const neverReached = 1_000_000_000;

const quotas = createMemoryQuotas();

const app = await openInstallation(readInput<Place>());
const { http: settings } = app.config;
const http = await createHttp({
  ctx: app.contextFor(anyone),
  database: app.database,
  limits: {
    public: createMemoryLimiter({ limit: neverReached }),
    refused: createMemoryLimiter({ limit: neverReached }),
    hub: { consume: () => true },
    exchanges: { consume: () => true },
    quotas: { consume: (key, _limit, nowMs) => quotas.consume(key, neverReached, nowMs) },
  },
  keyUses: createKeyUseRecorder(app.contextFor(system), app.geo),
  trustProxy: settings.trustProxy,
  accelRedirect: settings.accelRedirect,
  readiness: { database: () => app.database.ping() },
});
await http.server.listen({ port: 0, host: '127.0.0.1' });
const { port } = http.server.server.address() as AddressInfo;
let statements = 0;
app.database.pool.on('acquire', () => {
  statements += 1;
});
const pauses = monitorEventLoopDelay({ resolution: 5 });
let turns: EventLoopWatch | undefined;

answerParent(`http://127.0.0.1:${port}`, {
  cpuMicros() {
    const { user, system } = process.cpuUsage();
    return user + system;
  },
  /** Returns the present memory, and begins to measure the peak. */
  beginPeak() {
    tryResetPeak();
    pauses.enable();
    turns = watchEventLoop();
    return { rssBytes: process.memoryUsage.rss() };
  },
  peak() {
    const longestTurnMs = turns?.longestMs ?? 0;
    return { rssBytes: peakRssBytes(), longestPauseMs: pauses.max / 1e6, longestTurnMs };
  },
  /** The number of statements sent to the database since the start. */
  statements: () => statements,
  counted: () => [...http.counts.entries()].reduce((sum, { count }) => sum + count, 0),
});

/** Works only on Linux; elsewhere the peak includes the start of the process. */
function tryResetPeak(): void {
  try {
    writeFileSync('/proc/self/clear_refs', '5');
  } catch {}
}

function peakRssBytes(): number {
  try {
    const [, kibibytes] = /VmHWM:\s+(\d+) kB/.exec(readFileSync('/proc/self/status', 'utf8')) ?? [];
    if (kibibytes !== undefined) return Number(kibibytes) * 1024;
  } catch {}
  return process.resourceUsage().maxRSS * 1024;
}
