import type { Figure, Group } from '../bench.ts';
import { median } from '../median.ts';
import type { Loaded, Round } from './rounds.ts';

interface Described {
  readonly requestsPerSecond: number;
  /** Whether as many downloads are counted as were delivered. */
  readonly isExact: boolean;
  /** Whether nothing said that the primary was lost, so that it took time to find out. */
  readonly isSilent: boolean;
}

export function describeRounds(
  results: readonly Round[],
  { requestsPerSecond, isExact, isSilent }: Described,
): Pick<Group, 'figures' | 'remarks'> {
  const longest = (of: (round: Round) => number) => Math.max(...results.map(of));
  const recovery = 'first save after the new primary accepts writes';
  const figures: Figure[] = [
    { name: 'requests a second', value: requestsPerSecond, unit: 'ratio' },
    {
      ...{ name: `${recovery}, longest`, unit: 'ms' },
      value: longest(({ recoveryMs }) => recoveryMs),
      ...(isSilent ? {} : { aim: { atMost: 2_000 } }),
    },
    {
      ...{ name: 'the same, median', unit: 'ms' },
      value: median(results.map(({ recoveryMs }) => recoveryMs)),
    },
    {
      ...{ name: 'from the loss until the new primary accepts writes, longest', unit: 'ms' },
      value: longest(({ promotionMs }) => promotionMs),
    },
    ...describeServed(results, isExact, isSilent),
  ];
  return { figures, remarks: [describeRefusals(results)] };
}

export function describeServed(
  results: readonly Loaded[],
  isExact: boolean,
  isSilent = false,
): readonly Figure[] {
  const reads = results.flatMap(({ load }) => load.reads);
  const sum = (of: (loaded: Loaded) => number) =>
    results.reduce((total, round) => total + of(round), 0);
  const none = isSilent ? {} : { aim: { atMost: 0 } };
  return [
    {
      ...{ name: 'longest time without an acknowledged save', unit: 'ms' },
      value: Math.max(...results.map(({ load }) => load.longestPauseMs)),
    },
    {
      ...{ name: 'cached reads that failed', unit: 'ratio', ...none },
      ...{ value: reads.filter((status) => status !== 200).length },
      note: `of ${reads.length}`,
    },
    {
      ...{ name: 'longest read', unit: 'ms' },
      value: Math.max(...results.map(({ load }) => load.slowestReadMs)),
    },
    {
      ...{ name: 'episodes that lost an acknowledged save', unit: 'ratio', aim: { atMost: 0 } },
      value: sum(({ lost }) => lost),
    },
    {
      ...{ name: 'ranges of audio that were not delivered', unit: 'ratio', ...none },
      ...{ value: sum(({ load }) => load.undelivered) },
      note: `of ${sum(({ load }) => load.undelivered + load.delivered)}`,
    },
    {
      ...{ name: 'counted downloads are those delivered (1: yes)', unit: 'ratio' },
      ...{ value: isExact ? 1 : 0, aim: { atLeast: 1 } },
    },
  ];
}

export function describeRefusals(results: readonly Loaded[]): string {
  const saves = results.reduce((sum, { load }) => sum + load.savedAtMs.length, 0);
  const refusals = new Map<number, number>();
  for (const { load } of results) {
    for (const [status, count] of load.refusals)
      refusals.set(status, (refusals.get(status) ?? 0) + count);
  }
  const list = [...refusals].map(([status, count]) => `${count} × ${status}`).join(', ') || 'none';
  return `${saves} saves were acknowledged; refused: ${list}`;
}
