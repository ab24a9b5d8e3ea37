import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { setImmediate } from 'node:timers/promises';
import { strFromU8, unzipSync } from 'fflate';
import { describe, expect, it } from 'vitest';
import { type ZipEntry, zipEntries } from './zip-entries.ts';

const modifiedAt = new Date('2026-03-10T12:00:00Z');
const entry = (path: string, open: ZipEntry['open'], sizeBytes?: number): ZipEntry => {
  return { path, open, modifiedAt, isCompressible: sizeBytes === undefined, sizeBytes };
};
const text = (path: string, content: string) =>
  entry(path, async () => Readable.from([Buffer.from(content)]));

async function* listOf(entries: readonly ZipEntry[]) {
  yield* entries;
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

describe('a zip archive', () => {
  it('contains the contents of its entries', async () => {
    const audio = endlessAudio(20);
    const archive = zipEntries(
      listOf([
        text('show.json', '{"title":"Nachtsignale ü"}'),
        entry('episodes/eins/audio.mp3', audio.open, 20 * 65_536),
        text('episodes/ünïcode.txt', ''),
      ]),
    );
    const files = unzipSync(new Uint8Array(await buffer(archive)));
    expect(Object.keys(files)).toEqual([
      'show.json',
      'episodes/eins/audio.mp3',
      'episodes/ünïcode.txt',
    ]);
    expect(strFromU8(files['show.json'] ?? new Uint8Array())).toBe('{"title":"Nachtsignale ü"}');
    expect(files['episodes/eins/audio.mp3']).toHaveLength(20 * 65_536);
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
    await expect(buffer(zipEntries(listOf([short])))).rejects.toThrow('unexpected number of bytes');
    const failing = entry('failing', async () => {
      return Readable.from(
        (async function* () {
          yield 'abc';
          throw new Error('the store went away');
        })(),
      );
    });
    await expect(buffer(zipEntries(listOf([failing])))).rejects.toThrow('the store went away');
  });
});
