import { restartWithSmallHeap } from './restart-with-small-heap.ts';

restartWithSmallHeap();

const { runInProcess } = await import('./cli/run-in-process.ts');
await runInProcess();
