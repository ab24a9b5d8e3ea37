import { threadCpuUsage } from 'node:process';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { setImmediate } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { crc32 } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import {
  type Entry,
  fromBufferPromise,
  fromRandomAccessReaderPromise,
  RandomAccessReader,
  type ZipFile,
} from 'yauzl';
import { acceptableGrowth } from '../../../test/growth.ts';
import { type ZipEntry, zipEntries } from './zip-entries.ts';

const modifiedAt = new Date('2026-03-10T12:00:01Z');
const entry = (path: string, open: ZipEntry['open'], sizeBytes?: number): ZipEntry => {
  return { path, open, modifiedAt, isCompressible: sizeBytes === undefined, sizeBytes };
};
const text = (path: string, content: string) =>
  entry(path, async () => Readable.from([Buffer.from(content)]));

async function* listOf(entries: Iterable<ZipEntry>) {
  yield* entries;
}

/** Small files; one of eight is compressed. */
function* manyFiles(count: number): Generator<ZipEntry> {
  for (let index = 0; index < count; index += 1) {
    const content = `{"number":${index}}`;
    const open = async () => Readable.from([content], { objectMode: false });
    yield entry(`episodes/${index}/a.json`, open, index % 8 > 0 ? content.length : undefined);
  }
}

/** Chunks of 64 kB, and the number of chunks that were read. */
function endlessAudio(chunks: number) {
  const seen = { read: 0, destroyed: false };
  const open = async () =>
    new Readable({
      read() {
        seen.read += 1;
        this.push(seen.read > chunks ? null : Buffer.alloc(65_536, seen.read));
      },
      destroy(error, done) {
        seen.destroyed = true;
        done(error);
      },
    });
  return { seen, open };
}

/** A stream that never has a byte. */
function silence() {
  const seen = { isRead: false, destroyed: false };
  const stream = new Readable({
    read() {
      seen.isRead = true;
    },
    destroy(_error, done) {
      seen.destroyed = true;
      done(new Error('closing failed, too'));
    },
  });
  return { seen, stream };
}

/** Each file of an archive, with its content, whose checksum is right. */
async function filesOf(zip: ZipFile) {
  const files = new Map<string, { readonly file: Entry; readonly content: Buffer }>();
  for await (const file of zip.eachEntry()) {
    const content = await buffer(await zip.openReadStreamPromise(file));
    expect(crc32(content)).toBe(file.crc32);
    files.set(file.fileName, { file, content });
  }
  return files;
}

const unzip = async (archive: Readable) => filesOf(await fromBufferPromise(await buffer(archive)));

describe('a zip archive', () => {
  it('contains the contents of its entries', async () => {
    const audio = endlessAudio(20);
    const files = await unzip(
      zipEntries(
        listOf([
          text('show.json', '{"title":"Nachtsignale ü"}'),
          entry('episodes/eins/audio.mp3', audio.open, 20 * 65_536),
          text('episodes/ünïcode/日本.txt', ''),
          entry('empty', async () => Readable.from([]), 0),
        ]),
      ),
    );
    expect([...files.keys()]).toEqual([
      'show.json',
      'episodes/eins/audio.mp3',
      'episodes/ünïcode/日本.txt',
      'empty',
    ]);
    expect(`${files.get('show.json')?.content}`).toBe('{"title":"Nachtsignale ü"}');
    const stored = files.get('episodes/eins/audio.mp3');
    expect(stored?.content).toHaveLength(20 * 65_536);
    expect(stored?.content.at(-1)).toBe(20);
    expect([...files.values()].map(({ file }) => file.compressionMethod)).toEqual([8, 0, 8, 0]);
    expect(files.get('empty')?.content).toHaveLength(0);
    expect(files.get('empty')?.file.getLastModDate()).toEqual(modifiedAt);
  });

  it('a zip archive without entries is valid', async () => {
    expect(await unzip(zipEntries(listOf([])))).toEqual(new Map());
  });

  it('leaves out entries that do not exist', async () => {
    const missing = entry('missing', async () => undefined, 5);
    const files = await unzip(zipEntries(listOf([text('a', 'a'), missing, text('b', 'b')])));
    expect([...files.keys()]).toEqual(['a', 'b']);
  });

  it('a zip archive waits for its reader', async () => {
    const audio = endlessAudio(10_000);
    let opened = 0;
    const second = entry('second', async () => {
      opened += 1;
      return Readable.from(['x']);
    });
    const archive = zipEntries(listOf([entry('first', audio.open, 10_000 * 65_536), second]));
    archive.read();
    for (let turn = 0; turn < 100; turn += 1) await setImmediate();
    expect(audio.seen.read).toBeLessThan(20);
    expect(opened).toBe(0);
    archive.destroy();
    await expect.poll(() => audio.seen.destroyed).toBe(true);
    expect(opened).toBe(0);
  });

  it('fails if an entry fails or is shorter than stated', async () => {
    const broken = entry('broken', async () => {
      throw new Error('no such blob');
    });
    await expect(buffer(zipEntries(listOf([text('a', 'a'), broken])))).rejects.toThrow('no such');
    const short = entry('short', async () => Readable.from(['abc']), 4);
    await expect(buffer(zipEntries(listOf([short])))).rejects.toThrow('short has 3 bytes, not 4');
    for (const sizeBytes of [undefined, 1000]) {
      const failing = entry(
        'failing',
        async () => {
          return Readable.from(
            (async function* () {
              yield 'abc';
              throw new Error('the store went away');
            })(),
          );
        },
        sizeBytes,
      );
      const archive = zipEntries(listOf([text('a', 'a'), failing, text('b', 'b')]));
      await expect(buffer(archive)).rejects.toThrow('the store went away');
    }
  });

  it('fails if its list fails or a stream ends without its end', async () => {
    async function* brokenList() {
      yield text('a', 'a');
      throw new Error('the database went away');
    }
    await expect(buffer(zipEntries(brokenList()))).rejects.toThrow('the database went away');
    const { stream, seen } = silence();
    const archive = buffer(zipEntries(listOf([entry('closed', async () => stream)])));
    await expect.poll(() => seen.isRead).toBe(true);
    stream.destroy();
    await expect(archive).rejects.toThrow();
  });

  it('destroys a stream that it waits for if the reader leaves, and ends the list', async () => {
    const { stream, seen } = silence();
    const list = { ended: false };
    async function* entries() {
      try {
        yield text('a', 'a');
        yield entry('silent', async () => stream);
        yield text('b', 'b');
      } finally {
        list.ended = true;
      }
    }
    const archive = zipEntries(entries()).resume();
    await expect.poll(() => seen.isRead).toBe(true);
    archive.destroy();
    await expect.poll(() => [seen.destroyed, list.ended]).toEqual([true, true]);
    expect(archive.errored).toBeNull();
  });

  it('destroys a stream that opens after the reader has left', async () => {
    const { stream, seen } = silence();
    const { promise: opened, resolve: open } = Promise.withResolvers<Readable>();
    let asked = false;
    const late = entry('late', () => {
      asked = true;
      return opened;
    });
    const archive = zipEntries(listOf([late, text('b', 'b')])).resume();
    await expect.poll(() => asked).toBe(true);
    archive.destroy();
    await setImmediate();
    open(stream);
    await expect.poll(() => seen.destroyed).toBe(true);
  });

  it('lets other tasks run while it is read as fast as possible', async () => {
    const archive = zipEntries(listOf(manyFiles(2000)));
    let [turns, over] = [0, false];
    const others = (async () => {
      for (; !over; turns += 1) await setImmediate();
    })();
    await buffer(archive);
    over = true;
    await others;
    expect(turns).toBeGreaterThan(10);
  });
});

/** CPU time of this thread, and the memory that is in use before the end of the archive. */
async function measureArchive(files: number) {
  setFlagsFromString('--expose-gc');
  const collectGarbage = runInNewContext('gc') as () => void;
  const measured = { keptBytes: 0, cpuMs: 0 };
  const begun = threadCpuUsage();
  async function* entries() {
    yield* manyFiles(files);
    const { user, system } = threadCpuUsage(begun);
    measured.cpuMs = (user + system) / 1000;
    for (let turn = 0; turn < 10; turn += 1) {
      await setImmediate();
      collectGarbage();
    }
    const { heapUsed, external } = process.memoryUsage();
    measured.keptBytes = heapUsed + external;
  }
  for await (const _ of zipEntries(entries()));
  return measured;
}

/** An archive whose long runs of zeros are not in memory. */
class SparseBytes extends RandomAccessReader {
  readonly #chunks: { readonly at: number; readonly bytes: Buffer }[] = [];
  sizeBytes = 0;

  async collect(archive: Readable, zeros: Buffer): Promise<this> {
    for await (const bytes of archive as AsyncIterable<Buffer>) {
      if (bytes.buffer !== zeros.buffer) this.#chunks.push({ at: this.sizeBytes, bytes });
      this.sizeBytes += bytes.length;
    }
    return this;
  }

  override _readStreamForRange(start: number, end: number): Readable {
    const range = Buffer.alloc(end - start);
    for (const { at, bytes } of this.#chunks) {
      if (at >= end || at + bytes.length <= start) continue;
      bytes.copy(range, Math.max(0, at - start), Math.max(0, start - at));
    }
    return Readable.from([range]);
  }
}

describe('a large zip archive', () => {
  it('needs little memory for a file, and time in proportion to the files', async () => {
    const [few, many] = [await measureArchive(2_500), await measureArchive(10_000)];
    expect((many.keptBytes - few.keptBytes) / 7_500).toBeLessThan(500);
    expect(many.cpuMs / few.cpuMs).toBeLessThan(acceptableGrowth);
  });

  it('an archive can contain files of more than 4 GiB, and others after them', async () => {
    const zeros = Buffer.from(new ArrayBuffer(16 * 1024 * 1024));
    const chunks = 257;
    const sizeBytes = chunks * zeros.length;
    const audio = async () => Readable.from(Array<Buffer>(chunks).fill(zeros));
    const archive = zipEntries(listOf([entry('a.wav', audio, sizeBytes), text('b.txt', 'after')]));
    const bytes = await new SparseBytes().collect(archive, zeros);
    const zip = await fromRandomAccessReaderPromise(bytes, bytes.sizeBytes, { autoClose: false });
    const files: Entry[] = [];
    for await (const file of zip.eachEntry()) files.push(file);
    const [large, small] = files as [Entry, Entry];
    expect([large.uncompressedSize, large.compressedSize]).toEqual([sizeBytes, sizeBytes]);
    expect(small.relativeOffsetOfLocalHeader).toBeGreaterThan(sizeBytes);
    expect(`${await buffer(await zip.openReadStreamPromise(small))}`).toBe('after');
    const header = await zip.readLocalFileHeaderPromise(large);
    expect([header.versionNeededToExtract, header.uncompressedSize]).toEqual([45, 0xffff_ffff]);
    const end = header.fileDataStart + sizeBytes;
    const descriptor = await buffer(bytes._readStreamForRange(end, end + 24));
    expect(descriptor.readUInt32LE(4)).toBe(large.crc32);
    expect(descriptor.readBigUInt64LE(16)).toBe(BigInt(sizeBytes));
    expect(small.relativeOffsetOfLocalHeader).toBe(end + 24);
  });
});
