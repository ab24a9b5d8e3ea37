import { restartSmall } from './restart-with-small-heap.ts';

restartSmall();

const { runInProcess } = await import('./cli/run-in-process.ts');
await runInProcess();
