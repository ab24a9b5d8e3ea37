import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { pack } from 'tar-stream';

/** A file, folder or symbolic link of an archive. `path` is relative, with `/`. */
export type TarEntry = { readonly path: string; readonly uid?: number } & (
  | { readonly type: 'file'; readonly mode: number; readonly read: () => Uint8Array }
  | { readonly type: 'directory'; readonly mode: number }
  | { readonly type: 'symlink'; readonly target: string }
);

/** What a written archive is: hashes are `sha256:` and 64 hexadecimal digits. */
export interface WrittenTar {
  readonly digest: string;
  readonly bytes: number;
  /** Of the archive before compression. */
  readonly tarDigest: string;
  readonly tarBytes: number;
}

/**
 * The bytes of a tar archive. They depend only on the entries and the time: entries are sorted by
 * path, folders that have no entry get one (mode 755), the group is always root, and nothing names
 * the machine. Throws if two entries have the same path.
 */
export function packTar(entries: readonly TarEntry[], epochSeconds: number): Readable {
  const archive = pack();
  const writing = async () => {
    for (const entry of withFolders(entries)) await addEntry(archive, entry, epochSeconds);
    archive.finalize();
  };
  writing().catch((error: Error) => archive.destroy(error));
  return Readable.from(archive);
}

/** Writes the archive to a file, compressed by gzip unless `compress` is false. */
export async function writeTar(
  file: string,
  entries: readonly TarEntry[],
  epochSeconds: number,
  compress = true,
): Promise<WrittenTar> {
  const [plain, packed] = [measure(), measure()];
  await pipeline(
    packTar(entries, epochSeconds),
    plain.stream,
    // The header has no time and no name. The best level takes three times as long and saves 1 %.
    ...(compress ? [createGzip()] : []),
    packed.stream,
    createWriteStream(file),
  );
  const [tar, whole] = [plain.result(), packed.result()];
  return { ...whole, tarDigest: tar.digest, tarBytes: tar.bytes };
}

/** `sha256:…` of the bytes. */
export function digestOf(bytes: Uint8Array | string): string {
  return `sha256:${createHash('sha256').update(bytes).digest('hex')}`;
}

function withFolders(entries: readonly TarEntry[]): readonly TarEntry[] {
  const byPath = new Map<string, TarEntry>();
  for (const entry of entries) {
    if (byPath.has(entry.path)) throw new Error(`${entry.path} is in the archive twice.`);
    byPath.set(entry.path, entry);
  }
  for (const { path } of entries) {
    for (let at = path.lastIndexOf('/'); at > 0; at = path.lastIndexOf('/', at - 1)) {
      const folder = path.slice(0, at);
      if (byPath.has(folder)) continue;
      byPath.set(folder, { path: folder, type: 'directory', mode: 0o755 });
    }
  }
  // Compared by their characters, not by a language. A folder precedes what is in it.
  return [...byPath.values()].sort((a, b) => (a.path < b.path ? -1 : 1));
}

function addEntry(
  archive: ReturnType<typeof pack>,
  entry: TarEntry,
  epochSeconds: number,
): Promise<void> {
  const { path, type, uid = 0 } = entry;
  const common = { uid, gid: 0, mtime: new Date(epochSeconds * 1_000), type };
  const name = type === 'directory' ? `${path}/` : path;
  const header =
    type === 'symlink'
      ? { ...common, name, mode: 0o777, linkname: entry.target }
      : { ...common, name, mode: entry.mode };
  return new Promise((resolve, reject) => {
    const done = (error?: Error | null) => (error ? reject(error) : resolve());
    if (type === 'file') archive.entry(header, Buffer.from(entry.read()), done);
    else archive.entry(header, done);
  });
}

function measure() {
  const hash = createHash('sha256');
  let bytes = 0;
  const stream = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      hash.update(chunk);
      bytes += chunk.length;
      done(null, chunk);
    },
  });
  return { stream, result: () => ({ digest: `sha256:${hash.digest('hex')}`, bytes }) };
}
