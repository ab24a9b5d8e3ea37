import { fsyncSync } from 'node:fs';
import { NodeFS } from '@electric-sql/pglite/nodefs';

// Of PGlite's private interface, the part that is built upon here. Whether it still holds is
// tested at every start (`commitsAreSynced`).
interface EmscriptenModule {
  readonly FS: { readonly ErrnoError: new (errno: number) => Error };
  readonly NODEFS: { readonly stream_ops: { fsync?: (stream: { nfd: number }) => number } };
}
const EIO = 29;

/** PGlite's files on disk, with the one call that PGlite leaves out: fsync. */
export class SyncedNodeFs extends NodeFS {
  /** How often the database has had a file synced. */
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
        // PostgreSQL must not go on as if the data were safe; it stops with a PANIC.
        throw new module.FS.ErrnoError(EIO);
      }
      return 0;
    };
  }
}
