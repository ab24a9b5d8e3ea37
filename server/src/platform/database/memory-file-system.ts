import { MemoryFS, PGlite } from '@electric-sql/pglite';
import type { DataFile } from './image-format.ts';

// The part of Emscripten's file system that is used here.
interface EmscriptenFs {
  readdir(path: string): string[];
  stat(path: string): { readonly mode: number };
  isDir(mode: number): boolean;
  mkdirTree(path: string): void;
  readFile(path: string): Uint8Array;
  writeFile(path: string, content: Uint8Array, options: { canOwn: boolean }): void;
}

/** A database in memory, started from a data image if there is one. */
export class ImageMemoryFs extends MemoryFS {
  readonly #files: readonly DataFile[];
  /** Set it to [] before closing the database to receive the final files. */
  filesAtClose: DataFile[] | undefined;

  constructor(files: readonly DataFile[] = []) {
    super();
    this.#files = files;
  }

  override async initialSyncFs(): Promise<void> {
    const fs = this.#emscriptenFs();
    if (this.#files.length > 0) fs.mkdirTree(PGlite.paths.PGDATA);
    for (const [path, content] of this.#files) {
      const target = `${PGlite.paths.PGDATA}/${path}`;
      if (content === null) fs.mkdirTree(target);
      else fs.writeFile(target, content, { canOwn: true });
    }
  }

  override async closeFs(): Promise<void> {
    if (this.filesAtClose) this.#collect('', this.filesAtClose);
    await super.closeFs();
  }

  #collect(folder: string, files: DataFile[]): void {
    const fs = this.#emscriptenFs();
    const root = PGlite.paths.PGDATA;
    for (const name of fs.readdir(`${root}/${folder}`)) {
      if (name === '.' || name === '..') continue;
      const path = `${folder}${name}`;
      if (fs.isDir(fs.stat(`${root}/${path}`).mode)) {
        files.push([path, null]);
        this.#collect(`${path}/`, files);
      } else {
        files.push([path, fs.readFile(`${root}/${path}`)]);
      }
    }
  }

  #emscriptenFs(): EmscriptenFs {
    if (!this.pg) throw new Error('the file system is not mounted');
    return this.pg.Module.FS as unknown as EmscriptenFs;
  }
}
