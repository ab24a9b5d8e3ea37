import { readdirSync, readFileSync } from 'node:fs';
import type { Figure } from '../bench.ts';
import { inTurns } from '../in-turns.ts';
import { chooseLoadTool, type Target } from '../load.ts';
import { median } from '../median.ts';

const warmUpRuns = 2;
export const pairs = 8;

/** One server in a comparison. Its CPU time is that of the processes `pids`. */
export interface Side {
  readonly url: string;
  readonly pids: readonly number[];
  /** Whether responses of 4xx are expected. */
  readonly mayRefuse?: boolean;
}

export interface Rates {
  readonly perSecond: number;
  readonly cpuMicros: number;
}

/** Sends the same requests to both sides, in pairs. */
export async function compareSides(
  ours: Side,
  theirs: Side,
  headers: Target['headers'],
  signal: AbortSignal,
): Promise<(readonly [Rates, Rates])[]> {
  const tool = await chooseLoadTool();
  const put = async ({ url, pids, mayRefuse = false }: Side): Promise<Rates> => {
    const before = cpuMicrosOf(pids);
    const { requests, seconds } = await tool.put({ url, headers, mayRefuse }, signal);
    const cpuMicros = (cpuMicrosOf(pids) - before) / requests;
    return { perSecond: requests / seconds, cpuMicros };
  };
  for (let i = 0; i < warmUpRuns; i += 1) for (const side of [ours, theirs]) await put(side);
  return await inTurns(
    pairs,
    () => put(ours),
    () => put(theirs),
  );
}

/** The CPU time of whole processes with all threads. Only on Linux. */
function cpuMicrosOf(pids: readonly number[]): number {
  let nanos = 0;
  for (const pid of pids) {
    for (const thread of readdirSync(`/proc/${pid}/task`)) {
      const [ran = ''] = readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').split(' ');
      nanos += Number(ran);
    }
  }
  return nanos / 1_000;
}

/** `theirs` names the other side in notes. */
export function describeRates(
  { name, theirs, aim }: { readonly name: string; readonly theirs: string } & Pick<Figure, 'aim'>,
  runs: readonly (readonly [Rates, Rates])[],
): Figure[] {
  const middle = (side: 0 | 1, of: keyof Rates) =>
    Math.round(median(runs.map((run) => run[side][of]))).toLocaleString('en');
  return [
    {
      name: `${name}, requests per second`,
      value: median(runs.map(([one, other]) => one.perSecond / other.perSecond)),
      unit: 'ratio',
      ...(aim && { aim }),
      note: `${middle(0, 'perSecond')}, ${theirs} ${middle(1, 'perSecond')}`,
    },
    {
      name: `${name}, per second of processor time`,
      value: median(runs.map(([one, other]) => other.cpuMicros / one.cpuMicros)),
      unit: 'ratio',
      note: `${middle(0, 'cpuMicros')} µs a request, ${theirs} ${middle(1, 'cpuMicros')} µs`,
    },
  ];
}
