import { tryReadRowLine } from '../../../lib/read-row-line.ts';
import type { RowLine } from '../../../platform/database/table-rows.ts';

/** A file of the installation, and where the backup has its content. */
export interface StoredFile {
  /** In the file store of the installation. */
  readonly key: string;
  readonly sha256: string;
  readonly bytes: number;
}

export function writeFileLine({ key, sha256, bytes }: StoredFile): RowLine {
  return JSON.stringify([key, sha256, String(bytes)]);
}

/** Undefined: it is not what `writeFileLine` writes. The key may be any text. */
export function tryReadFileLine(line: RowLine): StoredFile | undefined {
  const [key, sha256, bytes] = tryReadRowLine(line, 3) ?? [];
  if (key == null || sha256 == null || bytes == null) return undefined;
  if (!/^[0-9a-f]{64}$/.test(sha256) || !/^[0-9]{1,15}$/.test(bytes)) return undefined;
  return { key, sha256, bytes: Number(bytes) };
}

/** Some digits of each hash, in a number: together with their keys, a million files take some 100 MB. */
const digits = 12;

/** Finds files that are listed again with other content: one of them would replace the other. */
export class ListedFiles {
  readonly #hashes = new Map<string, number>();

  /** False: the key was listed before, with another hash. */
  add({ key, sha256 }: StoredFile): boolean {
    const hash = Number.parseInt(sha256.slice(0, digits), 16);
    const known = this.#hashes.get(key);
    this.#hashes.set(key, hash);
    return known === undefined || known === hash;
  }
}
