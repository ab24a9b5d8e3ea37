import { enableCompileCache } from 'node:module';
import { fileURLToPath } from 'node:url';

// Half of a command's time is the reading of its sources: kept beside the packages, where nobody
// else writes. Where that cannot be written to nothing is kept, and no harm is done.
enableCompileCache(fileURLToPath(new URL('../../node_modules/.cache/compile', import.meta.url)));

const { runInProcess } = await import('./cli/run-in-process.ts');
await runInProcess();
