import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { findPublicPodcast } from '../../server/src/domain/public/catalogue/index.ts';
import { buildFeed } from '../../server/src/domain/public/feeds/index.ts';
import type { Figure, Group, Part, Run } from '../bench.ts';
import { Child } from '../child.ts';
import { vacuum } from '../installation/fill-show.sql.ts';
import { fillShow } from '../installation/fill-show.ts';
import { openInstallation } from '../installation/open-installation.ts';
import { median, timeMs } from '../median.ts';
import { measureSize } from '../take-response.ts';
import { makeTempFolder } from '../temp-folder.ts';

const slug = 'long';
const episodes = 5_000;
const notesChars = 3_000;
const cachedReads = 20;
const stepRuns = 3;

export const feedPart: Part = {
  name: 'feed',
  about: `the feed of ${episodes} episodes: time, size, memory`,
  async measure(run) {
    await using folder = await makeTempFolder();
    run.say(`  making ${episodes} episodes`);
    await fill(folder.path, run.signal);
    run.say('  reading the feed');
    const served = await measureServed(folder.path, run);
    const steps = await measureSteps(folder.path, run);
    const title = `The feed of ${episodes} episodes with ${notesChars} characters of notes each`;
    return [{ title, figures: [...served, ...steps] }] satisfies Group[];
  },
};

async function fill(dataDir: string, signal: AbortSignal): Promise<void> {
  await using app = await openInstallation({ dataDir });
  await fillShow(app, { slug, episodes, notesChars, distinctNotes: episodes }, signal);
  await vacuum(app.ctx.db);
}

/** Measures the feed as apps get it, from a process that has just started. */
async function measureServed(dataDir: string, { signal }: Run): Promise<Figure[]> {
  const script = new URL('../installation/serve-podstead.ts', import.meta.url);
  const { child, ready: url } = await Child.start<string>(script, { dataDir }, signal);
  await using _child = child;
  const read = (coding: string) =>
    measureSize(
      { url: `${url}/feeds/${slug}.xml`, headers: { 'Accept-Encoding': coding } },
      signal,
    );
  await measureSize({ url: `${url}/v1/podcasts/${slug}`, headers: {} }, signal);
  const idle = await child.ask<{ rssBytes: number }>('beginPeak');
  const firstMs = await timeMs(() => read('br'));
  const peak = await child.ask<{ rssBytes: number; longestPauseMs: number }>('peak');
  const cachedMs = async (coding: string) => {
    const times: number[] = [];
    for (let i = 0; i < cachedReads; i += 1) times.push(await timeMs(() => read(coding)));
    return median(times);
  };
  return [
    { name: 'first response', value: firstMs, unit: 'ms', note: 'read, written, compressed twice' },
    { name: 'cached response, br', value: await cachedMs('br'), unit: 'ms' },
    { name: 'cached response, uncompressed', value: await cachedMs('identity'), unit: 'ms' },
    {
      name: 'longest pause of the event loop',
      value: peak.longestPauseMs,
      unit: 'ms',
      aim: { atMost: 50 },
    },
    { name: 'size, uncompressed', value: (await read('identity')) / 1e6, unit: 'MB' },
    { name: 'size, gzip', value: (await read('gzip')) / 1e6, unit: 'MB' },
    { name: 'size, br', value: (await read('br')) / 1e6, unit: 'MB' },
    {
      name: 'peak memory above idle',
      value: (peak.rssBytes - idle.rssBytes) / 1e6,
      unit: 'MB',
      note: `idle ${Math.round(idle.rssBytes / 1e6)} MB`,
    },
  ];
}

/** Measures each step of the first response alone, after a warm-up. */
async function measureSteps(dataDir: string, { signal }: Run): Promise<Figure[]> {
  await using app = await openInstallation({ dataDir });
  const show = await findPublicPodcast(app.ctx, slug);
  if (show === undefined) throw new Error(`${slug} is missing`);
  const times = { build: [] as number[], gzip: [] as number[], brotli: [] as number[] };
  for (let i = 0; i < stepRuns; i += 1) {
    signal.throwIfAborted();
    let text = Buffer.alloc(0);
    const build = async () => {
      const page = { after: undefined, urlAfter: () => 'https://feeds.example/next' };
      text = Buffer.concat(await buildFeed(app.ctx, show, page));
    };
    times.build.push(await timeMs(build));
    times.gzip.push(await timeMs(() => promisify(gzip)(text)));
    const params = { [constants.BROTLI_PARAM_QUALITY]: 5 };
    times.brotli.push(await timeMs(() => promisify(brotliCompress)(text, { params })));
  }
  return [
    { name: 'step: reading and writing', value: median(times.build), unit: 'ms' },
    { name: 'step: gzip', value: median(times.gzip), unit: 'ms' },
    { name: 'step: br', value: median(times.brotli), unit: 'ms' },
  ];
}
