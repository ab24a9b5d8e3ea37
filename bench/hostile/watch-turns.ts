import { writeFileSync } from 'node:fs';
import { watchEventLoop } from '../../server/test/watch-event-loop.ts';

/** What the server's main thread has done, in milliseconds of its own CPU time. */
export interface Turns {
  readonly longestMs: number;
  /** The longest turns, with the time of their end. */
  readonly worst: readonly (readonly [string, number])[];
}

// Loaded into `serve` with --import, which its child processes inherit. Measures from SIGUSR2 on,
// because the start takes long.

const file = process.env['BENCH_TURNS'];
const sampleMs = 100;
const mostWorst = 10;

if (file !== undefined && process.argv.includes('serve'))
  process.once('SIGUSR2', () => watch(file));

function watch(path: string): void {
  const eventLoop = watchEventLoop();
  let worst: (readonly [string, number])[] = [];
  const note = () => {
    const { longestMs } = eventLoop;
    eventLoop.restart();
    if (longestMs <= (worst.at(mostWorst - 1)?.[1] ?? 0)) return;
    worst = [...worst, [new Date().toISOString(), longestMs] as const]
      .toSorted(([, a], [, b]) => b - a)
      .slice(0, mostWorst);
    const turns: Turns = { longestMs: worst[0]?.[1] ?? 0, worst };
    writeFileSync(path, JSON.stringify(turns));
  };
  setInterval(note, sampleMs).unref();
}
