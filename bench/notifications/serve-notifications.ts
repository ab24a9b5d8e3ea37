import pg from 'pg';
import { updatePodcast } from '../../server/src/domain/publishing/podcasts/index.ts';
import { createOutboundHttp } from '../../server/src/platform/outbound-http/create-outbound-http.ts';
import { startServer } from '../../server/src/processes.ts';
import { watchEventLoop } from '../../server/test/watch-event-loop.ts';
import { answerParent, readInput } from '../answer-parent.ts';
import { openInstallation, type Place } from '../installation/open-installation.ts';

// `serve` with its background work, whose requests to any host reach this machine.

const outbound = createOutboundHttp({
  allow: ['127.0.0.0/8'],
  userAgent: 'bench',
  lookup: async () => ['127.0.0.1'],
});
let statements = 0;
const { query } = pg.Client.prototype;
pg.Client.prototype.query = function count(this: pg.Client, ...args: unknown[]) {
  statements += 1;
  return Reflect.apply(query, this, args);
} as typeof query;
const app = await openInstallation(readInput<Place>(), { outbound });
const { url } = await startServer(app);
const turns = watchEventLoop();
let peakBytes = 0;
let cpuBefore = process.cpuUsage();
setInterval(() => {
  peakBytes = Math.max(peakBytes, process.memoryUsage().rss);
}, 50).unref();

answerParent(url, {
  restart: () => {
    turns.restart();
    statements = 0;
    cpuBefore = process.cpuUsage();
    peakBytes = process.memoryUsage().rss;
    return peakBytes;
  },
  forgetTasks: () => turns.restart(),
  longestTaskMs: () => turns.longestMs,
  peakBytes: () => peakBytes,
  statements: () => statements,
  cpuSeconds: () => {
    const { user, system } = process.cpuUsage(cpuBefore);
    return (user + system) / 1e6;
  },
  retitle: ({ podcastId, title }: { podcastId: string; title: string }) =>
    updatePodcast(app.ctx, podcastId, { title }).then(() => Date.now()),
});
