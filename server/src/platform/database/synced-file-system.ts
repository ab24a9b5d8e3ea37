import { fsyncSync } from 'node:fs';
import { NodeFS } from '@electric-sql/pglite/nodefs';

// The part of PGlite's private interface that we use. Every start checks that it still works
// (`commitsAreSynced`).
interface EmscriptenModule {
  readonly FS: { readonly ErrnoError: new (errno: number) => Error };
  readonly NODEFS: { readonly stream_ops: { fsync?: (stream: { nfd: number }) => number } };
}
const EIO = 29;

/** PGlite's files on disk, with the call that PGlite omits: fsync. */
export class SyncedNodeFs extends NodeFS {
  /** The number of fsync calls so far. */
  syncCount = 0;

  override async init(
    ...args: Parameters<NodeFS['init']>
  ): Promise<Awaited<ReturnType<NodeFS['init']>>> {
    const { emscriptenOpts } = await super.init(...args);
    const addSync = (module: unknown) => this.#addSync(module as EmscriptenModule);
    return {
      emscriptenOpts: { ...emscriptenOpts, preRun: [...(emscriptenOpts.preRun ?? []), addSync] },
    };
  }

  #addSync(module: EmscriptenModule): void {
    module.NODEFS.stream_ops.fsync = (stream) => {
      this.syncCount += 1;
      try {
        fsyncSync(stream.nfd);
      } catch {
        // PostgreSQL must not assume that the data is safe; it stops with a PANIC.
        throw new module.FS.ErrnoError(EIO);
      }
      return 0;
    };
  }
}
