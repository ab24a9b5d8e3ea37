import { randomBytes, randomUUID } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { BlobNotFoundError, type BlobStore } from '../../src/platform/blob-store/blob-store.ts';
import {
  type BlobProgress,
  PartialBlobLostError,
} from '../../src/platform/blob-store/partial-blobs.ts';

const mb = 1024 * 1024;
const chunkBytes = 100_003;

/** A blob of `bytes` that is being sent, with the last recorded state. */
interface Sent {
  readonly key: string;
  readonly bytes: Buffer;
  recorded: BlobProgress;
}

/** The behavior of partial blobs and of copies. Every driver runs these tests. */
export function appendsAndCopies(store: () => BlobStore): void {
  const begin = async (bytes: Buffer): Promise<Sent> => {
    const key = `contract/${randomUUID()}`;
    return { key, bytes, recorded: await store().partial.begin(key, bytes.length) };
  };
  /** Sends bytes up to `to`. The connection then breaks, unless that is the end. */
  const send = (sent: Sent, to: number, record?: (progress: BlobProgress) => Promise<void>) =>
    store().partial.append({
      key: sent.key,
      totalBytes: sent.bytes.length,
      progress: sent.recorded,
      body: piecesOf(sent.bytes.subarray(sent.recorded.sizeBytes, to), to < sent.bytes.length),
      record:
        record ??
        (async (progress) => {
          sent.recorded = progress;
        }),
    });
  const finish = ({ key, bytes, recorded }: Sent) =>
    store().partial.finish({ key, totalBytes: bytes.length, progress: recorded });
  const read = async (key: string) => Buffer.concat(await (await store().read(key)).toArray());

  it('grows over several connections of any length', async () => {
    const sent = await begin(randomBytes(20 * mb + 17));
    for (const to of [1, 3 * mb, 9 * mb, 16 * mb, 16 * mb + 5]) {
      await expect(send(sent, to)).rejects.toThrow('the connection broke');
      expect(sent.recorded.sizeBytes).toBe(to);
    }
    await send(sent, sent.bytes.length);
    expect(sent.recorded.sizeBytes).toBe(sent.bytes.length);
    await finish(sent);
    await finish(sent);
    expect((await read(sent.key)).equals(sent.bytes)).toBe(true);
  });

  it('continues after pieces that ended without an error', async () => {
    const sent = await begin(randomBytes(3_000));
    for (const to of [1_000, 2_000, 3_000]) {
      const body = piecesOf(sent.bytes.subarray(sent.recorded.sizeBytes, to), false);
      const record = async (progress: BlobProgress) => {
        sent.recorded = progress;
      };
      const { key, recorded: progress } = sent;
      await store().partial.append({ key, totalBytes: 3_000, progress, body, record });
      expect(sent.recorded.sizeBytes).toBe(to);
    }
    await finish(sent);
    expect((await read(sent.key)).equals(sent.bytes)).toBe(true);
  });

  it('loses nothing that was recorded when a process is killed', async () => {
    const sent = await begin(randomBytes(18 * mb));
    let states = 0;
    const dying = send(sent, 17 * mb, async (progress) => {
      states += 1;
      // Later states are never recorded.
      if (states > 1) throw new Error('killed');
      sent.recorded = progress;
    });
    await expect(dying).rejects.toThrow();
    expect(sent.recorded.sizeBytes).toBeGreaterThan(0);
    await send(sent, sent.bytes.length);
    await finish(sent);
    expect((await read(sent.key)).equals(sent.bytes)).toBe(true);
  });

  it('stops if `record` throws', async () => {
    const sent = await begin(randomBytes(40 * mb));
    const refused = send(sent, 40 * mb, async () => {
      throw new Error('another has taken over');
    });
    await expect(refused).rejects.toThrow('another has taken over');
    await store().partial.remove({ key: sent.key, progress: sent.recorded });
  });

  it('removes everything in any state, also a second time', async () => {
    for (const to of [0, 2 * mb, 9 * mb]) {
      const sent = await begin(randomBytes(10 * mb));
      if (to > 0) await expect(send(sent, to)).rejects.toThrow('the connection broke');
      for (let times = 0; times < 2; times += 1) {
        await store().partial.remove({ key: sent.key, progress: sent.recorded });
      }
      expect(await store().stat(sent.key)).toBeUndefined();
      if (to > 0) await expect(send(sent, sent.bytes.length)).rejects.toThrow();
    }
    expect(await readdir(store().scratchDir)).toEqual([]);
  });

  it('reports lost bytes', async () => {
    const sent = await begin(randomBytes(10 * mb));
    await expect(send(sent, 9 * mb)).rejects.toThrow('the connection broke');
    await store().partial.remove({ key: sent.key, progress: sent.recorded });
    await expect(finish(sent)).rejects.toThrow(PartialBlobLostError);
  });

  it('copies', async () => {
    const [from, to] = [`contract/${randomUUID()}`, `contract/${randomUUID()}/b.mp3`];
    await store().put(from, Buffer.from('hello'), 'text/plain');
    expect(await store().copy(from, to, 'audio/mpeg')).toEqual({ sizeBytes: 5 });
    await store().delete(from);
    expect((await read(to)).toString()).toBe('hello');
    await expect(store().copy(from, to, 'audio/mpeg')).rejects.toThrow(BlobNotFoundError);
    expect((await read(to)).toString()).toBe('hello');
  });

  it('provides a temporary local file', async () => {
    const key = `contract/${randomUUID()}`;
    await store().put(key, Buffer.from('hello'), 'text/plain');
    expect(await store().withFile(key, (path) => readFile(path, 'utf8'))).toBe('hello');
    await store().delete(key);
    await expect(store().withFile(key, async () => 1)).rejects.toThrow(BlobNotFoundError);
    expect(await readdir(store().scratchDir)).toEqual([]);
  });
}

async function* piecesOf(bytes: Buffer, breaks: boolean): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length; at += chunkBytes) yield bytes.subarray(at, at + chunkBytes);
  if (breaks) throw new Error('the connection broke');
}
