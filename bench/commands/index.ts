import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { Bench, Group, Run } from '../bench.ts';
import { compareTimes } from '../median.ts';

const main = fileURLToPath(new URL('../../server/src/start.js', import.meta.url));
const pairs = 15;
// Node itself starts in about 40 ms; 0.35 s is the aim on an idle machine.
const atMost = 8;

/** The time to start a command. */
export const commandsBench: Bench = {
  name: 'commands',
  about: 'the start of a command beside an empty program of Node',
  parts: [{ name: 'start', about: 'commands that open no installation', measure }],
};

async function measure({ signal }: Run): Promise<readonly Group[]> {
  const figures = [];
  for (const argv of [['--help'], ['episode', 'set', '--help'], ['config']]) {
    await run(signal, main, ...argv);
    const { ratio, firstMs, secondMs } = await compareTimes(
      pairs,
      () => run(signal, '-e', '0'),
      () => run(signal, main, ...argv),
    );
    const note = `${Math.round(secondMs)} ms, node -e 0: ${Math.round(firstMs)} ms`;
    figures.push({
      name: argv.join(' '),
      value: ratio,
      unit: 'ratio',
      aim: { atMost },
      note,
    } as const);
  }
  return [{ title: 'Start of a command', figures }];
}

async function run(signal: AbortSignal, ...argv: string[]): Promise<void> {
  const child = spawn(process.execPath, argv, { stdio: 'ignore', signal });
  const [code] = await once(child, 'exit');
  if (code !== 0) throw new Error(`${argv.join(' ')} ended with ${code}`);
}
