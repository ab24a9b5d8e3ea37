import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { patience } from '../test/patience.ts';

const script = fileURLToPath(new URL('../test/programs/print-restart.ts', import.meta.url));
const small = [
  '--max-semi-space-size=4',
  '--heap-growing-percent=50',
  '--no-allocation-site-pretenuring',
];
const malloc = {
  MALLOC_ARENA_MAX: '2',
  MALLOC_MMAP_THRESHOLD_: '131072',
  MALLOC_TRIM_THRESHOLD_: '131072',
};

interface Printed {
  readonly pid: number;
  readonly argv: readonly string[];
  readonly execArgv: readonly string[];
  /** The variables that configure glibc's memory. */
  readonly malloc: Readonly<Record<string, string>>;
}

async function start(
  args: readonly string[],
  { node = [], env = {} }: { node?: string[]; env?: Record<string, string> } = {},
) {
  const running = promisify(execFile)(process.execPath, [...node, script, ...args], { env });
  const { stdout, stderr } = await running;
  return { pid: running.child.pid, stderr, printed: JSON.parse(stdout) as Printed };
}

describe('a process that runs for long', { timeout: patience.timeout }, () => {
  test.each(['serve', 'worker', 'demo', 'export', 'restore'])(
    '%s: the process has the options that keep it small',
    async (name) => {
      const { pid, stderr, printed } = await start([name, '--further']);
      expect(printed).toEqual({
        pid,
        argv: [name, '--further'],
        execArgv: small,
        malloc,
      });
      expect(stderr).toBe('');
    },
  );

  test('a process that runs for long keeps the options it was started with', async () => {
    const { printed } = await start(['serve'], { node: ['--no-deprecation'] });
    expect(printed.execArgv).toEqual([...small, '--no-deprecation']);
  });

  test('a process that runs for long does not change options that the operator has set', async () => {
    const node = ['--max-semi-space-size=32'];
    expect((await start(['serve'], { node })).printed.execArgv).toEqual(node);
    const env = { NODE_OPTIONS: '--max-semi-space-size=32' };
    expect((await start(['serve'], { env })).printed.execArgv).toEqual([]);
    const own = { MALLOC_ARENA_MAX: '4' };
    const { printed } = await start(['serve'], { env: own });
    expect(printed.malloc).toEqual({ ...malloc, ...own });
  });
});

test('a command that ends soon is not started twice', { timeout: patience.timeout }, async () => {
  const { printed } = await start(['config']);
  expect(printed).toMatchObject({ execArgv: [], malloc: {} });
});
