import { readFileSync, writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { anyone } from '../../server/src/domain/actor.ts';
import { createHttp } from '../../server/src/http/create-http.ts';
import { createMemoryLimiter } from '../../server/src/platform/rate-limiter/create-memory-limiter.ts';
import { answerParent, readInput } from '../answer-parent.ts';
import { openInstallation, type Place } from './open-installation.ts';

// An installation as `serve` runs it, with its limiter at work on a limit that nobody reaches.

const neverReached = 1_000_000_000;

const app = await openInstallation(readInput<Place>());
const { secret, http: settings } = app.config;
const http = await createHttp({
  ctx: app.contextFor(anyone),
  limiter: createMemoryLimiter({ limit: neverReached }),
  secret,
  trustProxy: settings.trustProxy,
  accelRedirect: settings.accelRedirect,
  readiness: { database: () => app.database.ping() },
});
await http.server.listen({ port: 0, host: '127.0.0.1' });
const { port } = http.server.server.address() as AddressInfo;
const pauses = monitorEventLoopDelay({ resolution: 5 });

answerParent(`http://127.0.0.1:${port}`, {
  cpuMicros() {
    const { user, system } = process.cpuUsage();
    return user + system;
  },
  /** What the process keeps now; from here on peaks are measured. */
  beginPeak() {
    tryResetPeak();
    pauses.enable();
    return { rssBytes: process.memoryUsage.rss() };
  },
  peak() {
    return { rssBytes: peakRssBytes(), longestPauseMs: pauses.max / 1e6 };
  },
  counted: () => [...http.counts.entries()].reduce((sum, { count }) => sum + count, 0),
});

/** Linux alone can; elsewhere the peak is that of the whole process, starting included. */
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
