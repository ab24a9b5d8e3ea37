import type { Browser } from 'playwright-core';
import { launchBrowser } from '../../player/test/browser.ts';
import type { Figure, Group, Part, Run } from '../bench.ts';
import { median } from '../median.ts';
import { drawPicture } from '../player/draw-picture.ts';
import { observeTrouble, openSlowPhone } from '../slow-phone.ts';
import { makeTempFolder } from '../temp-folder.ts';
import { openPages, type PublicPage, pictureHost } from './open-pages.ts';

const rounds = 3;
/** A page is loaded when nothing has run or arrived for this long. */
const quietMs = 2_000;

export const loadingPart: Part = {
  name: 'loading',
  about:
    'bytes by type, largest paint, blocking time and shifts: processor 4 times slower, slow 4G',
  async measure(run) {
    await using folder = await makeTempFolder();
    await using opened = await openPages(folder.path, run.signal);
    const loads = await loadAll(opened.pages, run);
    return opened.pages.map(({ name }) => describe(name, loads.get(name) ?? []));
  },
};

interface Load {
  /** As sent, with headers. Pictures and audio are not in it. */
  readonly bytesByType: ReadonlyMap<string, number>;
  readonly largestPaintMs: number;
  readonly blockedMs: number;
  readonly layoutShift: number;
}

/** In rounds, so that slow changes of the machine affect all equally. */
async function loadAll(
  pages: readonly PublicPage[],
  { signal, say }: Run,
): Promise<ReadonlyMap<string, readonly Load[]>> {
  const browser = await launchBrowser();
  const picture = await drawPicture();
  const loads = new Map<string, Load[]>();
  try {
    for (let round = 1; round <= rounds; round += 1) {
      say(`  round ${round} of ${rounds}`);
      for (const { name, url } of pages) {
        signal.throwIfAborted();
        loads.set(name, [...(loads.get(name) ?? []), await load(browser, url, picture)]);
      }
    }
  } finally {
    await browser.close();
  }
  return loads;
}

async function load(browser: Browser, url: string, picture: Buffer): Promise<Load> {
  await using phone = await openSlowPhone(browser);
  const { page, cdp } = phone;
  const types = new Map<string, string>();
  const bytesByType = new Map<string, number>();
  cdp.on('Network.responseReceived', ({ requestId, type }) => types.set(requestId, type));
  cdp.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    const type = types.get(requestId) ?? 'Other';
    if (type === 'Image' || type === 'Media') return;
    bytesByType.set(type, (bytesByType.get(type) ?? 0) + encodedDataLength);
  });
  await page.route(`${pictureHost}/*`, (route) => route.fulfill({ body: picture }));
  await page.addInitScript({ content: `${observeTrouble}\n${observePaint}` });
  await page.goto(url, { waitUntil: 'networkidle' });
  await page.waitForTimeout(quietMs);
  const seen = await page.evaluate<Omit<Load, 'bytesByType'>>(
    '({ largestPaintMs, blockedMs, layoutShift })',
  );
  return { ...seen, bytesByType };
}

const observePaint = `window.largestPaintMs = 0;
new PerformanceObserver((list) => {
  window.largestPaintMs = list.getEntries().at(-1).startTime;
}).observe({ type: 'largest-contentful-paint', buffered: true });`;

function describe(title: string, loads: readonly Load[]): Group {
  const [first] = loads;
  if (first === undefined) throw new Error('no load');
  const bytes = [...first.bytesByType];
  const all = bytes.reduce((sum, [, size]) => sum + size, 0);
  const html = first.bytesByType.get('Document') ?? 0;
  const figures: Figure[] = [
    { name: 'HTML', value: html / 1000, unit: 'kB', aim: { atMost: 15 } },
    {
      name: 'all but pictures',
      value: all / 1000,
      unit: 'kB',
      aim: { atMost: 60 },
      note: bytes.map(([type, size]) => `${type} ${(size / 1000).toFixed(1)}`).join(', '),
    },
    ...timed(loads, 'largest paint', 'ms', ({ largestPaintMs }) => largestPaintMs, 1_500),
    ...timed(loads, 'blocking time', 'ms', ({ blockedMs }) => blockedMs, 50),
    ...timed(loads, 'layout shift', 'ratio', ({ layoutShift }) => layoutShift, 0.02),
  ];
  return { title, figures };
}

function timed(
  loads: readonly Load[],
  name: string,
  unit: Figure['unit'],
  of: (load: Load) => number,
  atMost: number,
): Figure[] {
  const values = loads.map(of).toSorted((a, b) => a - b);
  const shown = values.map((value) => (unit === 'ms' ? Math.round(value) : value.toFixed(3)));
  return [{ name, value: median(values), unit, aim: { atMost }, note: shown.join(', ') }];
}
