#!/usr/bin/env node
// The entry of the program. JavaScript: a TypeScript file would be compiled before the cache is on.
import { enableCompileCache } from 'node:module';
import { fileURLToPath } from 'node:url';

// Half of a command's time is the reading of its sources. They are kept beside the packages, where
// nobody else writes; where that cannot be written to, nothing is kept. Threads read the variable.
process.env['NODE_COMPILE_CACHE'] ??= fileURLToPath(
  new URL('../../node_modules/.cache/compile', import.meta.url),
);
enableCompileCache();

await import('./main.ts');
