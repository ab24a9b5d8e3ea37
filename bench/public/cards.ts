import { Readable } from 'node:stream';
import sharp from 'sharp';
import type { Context } from '../../server/src/domain/foundation/context.ts';
import { type Card, renderCard } from '../../server/src/domain/public/cards/index.ts';
import { createLog } from '../../server/src/platform/log/log.ts';
import { ChildProcesses } from '../../server/src/platform/processes/child-processes.ts';
import type { Part } from '../bench.ts';
import { median, timeMs } from '../median.ts';

const runs = 30;

/** Drawing a card that isn't in memory, and its size. */
export const cardsPart: Part = {
  name: 'cards',
  about: 'pictures of shows and episodes for links to them',
  async measure() {
    await using processes = new ChildProcesses();
    const cover = await makeCover();
    const blobs = { read: async () => Readable.from([cover]) };
    const log = createLog('silent');
    const ctx = { processes, blobs, log, principal: { kind: 'public' } } as unknown as Context;
    const draw = (name: string) => renderCard(ctx, { ...card, main: `${card.main} ${name}` });
    const firstMs = await timeMs(() => draw('0'));
    const times: number[] = [];
    let bytes = 0;
    for (let run = 1; run <= runs; run += 1) {
      times.push(
        await timeMs(async () => {
          bytes = Math.max(bytes, (await draw(String(run))).length);
        }),
      );
    }
    const figures = [
      { name: 'the first, with its process', value: firstMs, unit: 'ms' },
      { name: 'another', value: median(times), unit: 'ms', aim: { atMost: 100 } },
      { name: 'size', value: bytes / 1000, unit: 'kB', aim: { atMost: 61.44 } },
    ] as const;
    return [{ title: `Cards, median of ${runs}`, figures }];
  },
};

const card: Card = {
  cover: 'cover',
  initial: 'N',
  colors: { ground: '#1d5b52', ink: '#ffffff', muted: '#d0dedc', tint: '#386f67' },
  language: 'en',
  direction: 'ltr',
  isQuote: false,
  lead: 'Night Signals',
  main: 'The lighthouse keeper who answered every letter',
  byline: '',
  facts: 'Episode 12 · 3 May 2026 · 42 min',
};

/** As detailed as a photograph. */
function makeCover(): Promise<Buffer> {
  const noise = { type: 'gaussian', mean: 120, sigma: 60 } as const;
  return sharp({ create: { width: 640, height: 640, channels: 3, background: '#888', noise } })
    .blur(3)
    .jpeg({ quality: 80 })
    .toBuffer();
}
