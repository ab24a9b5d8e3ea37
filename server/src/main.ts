import { restartSmall } from './restart-small.ts';

restartSmall();

const { runInProcess } = await import('./cli/run-in-process.ts');
await runInProcess();
