import { restartWithSmallHeap } from '../../src/restart-with-small-heap.ts';

restartWithSmallHeap();
const { pid, argv, execArgv, env } = process;
const printed = {
  pid,
  argv: argv.slice(2),
  execArgv,
  malloc: Object.fromEntries(Object.entries(env).filter(([name]) => name.startsWith('MALLOC_'))),
};
process.stdout.write(JSON.stringify(printed));
