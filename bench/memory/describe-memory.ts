import type { Figure } from '../bench.ts';
import { inMegabytes } from './databases.ts';
import type { Memory } from './running-server.ts';

type Aims = Partial<Record<keyof Memory, NonNullable<Figure['aim']>>>;

/** One figure for each part of the memory. */
export function describeMemory(name: string, memory: Memory, aims: Aims = {}): Figure[] {
  const figure = (what: keyof Memory, words: string): Figure => {
    const aim = aims[what];
    const value = inMegabytes(memory[what]);
    return { name: `${name}: ${words}`, value, unit: 'MB', ...(aim && { aim }) };
  };
  return [
    figure('rss', 'resident'),
    figure('peak', 'peak'),
    figure('heap', 'heap'),
    figure('external', 'outside of the heap'),
  ];
}
