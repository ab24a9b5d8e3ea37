import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { shareSuccess } from '../../lib/share-success.ts';

// Node's types have WebAssembly.Module, but not `compile`.
const { WebAssembly: wasm } = globalThis as unknown as {
  WebAssembly: { compile(bytes: Uint8Array): Promise<WebAssembly.Module> };
};

/** PGlite's PostgreSQL, compiled once for all threads of this process. */
export const loadEmbeddedModule = shareSuccess(compile);

async function compile(): Promise<WebAssembly.Module> {
  useBaselineCompiler();
  const dist = dirname(createRequire(import.meta.url).resolve('@electric-sql/pglite'));
  return await wasm.compile(await readFile(join(dist, 'pglite.wasm')));
}

/**
 * V8's optimizing compiler uses 600 MB for a single function of PostgreSQL at each start. The
 * options apply to the whole process: see docs/decisions/0005.
 */
function useBaselineCompiler(): void {
  setFlagsFromString('--no-wasm-tier-up');
  setFlagsFromString('--no-wasm-dynamic-tiering');
}
