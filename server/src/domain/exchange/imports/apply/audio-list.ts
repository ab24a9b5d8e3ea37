import { deserialize, serialize } from 'node:v8';
import { createYielder } from '../../../../lib/time-slices.ts';
import type { ImportRun } from '../import-run.ts';
import { ItemSpool } from '../read/item-spool.ts';
import type { ItemOutcome } from '../report/import-report.ts';
import type { ImportedItem } from './import-items.ts';

/** What copying needs of an item, which no longer is in memory. */
export interface AudioToCopy extends Pick<ImportedItem, 'key' | 'ref' | 'episodeId' | 'date'> {
  readonly url: string;
  readonly publishedAt: Date | undefined;
  /** So far. */
  readonly outcome: ItemOutcome | undefined;
}

const batchBytes = 256 * 1024;

/**
 * The audio that an import copies, newest first, in a temporary file: copying may take a day, and the
 * URLs and GUIDs of a feed can have 100 MB. In memory is only where each entry ends.
 */
export class AudioList implements AsyncDisposable {
  readonly #spool: ItemSpool;
  readonly #ends: readonly number[];

  private constructor(spool: ItemSpool, ends: readonly number[]) {
    this.#spool = spool;
    this.#ends = ends;
  }

  /** Yields to other tasks. */
  static async of(
    { ctx, limits, report }: Pick<ImportRun, 'ctx' | 'limits' | 'report'>,
    items: readonly ImportedItem[],
  ): Promise<AudioList> {
    const spool = await ItemSpool.open(ctx, limits);
    try {
      const entries = new Entries(spool);
      const maybeYield = createYielder();
      for (const { key, ref, episodeId, item, audioToCopy, date } of items.toReversed()) {
        await maybeYield();
        if (audioToCopy === undefined) continue;
        const about = { url: audioToCopy.url, publishedAt: item.publishedAt };
        const outcome = report.outcomeOf(key);
        await entries.add({ key, ref, episodeId, date, outcome, ...about });
      }
      return new AudioList(spool, await entries.finish());
    } catch (error) {
      await spool[Symbol.asyncDispose]();
      throw error;
    }
  }

  get length(): number {
    return this.#ends.length;
  }

  places(): number[] {
    return Array.from(this.#ends, (_end, place) => place);
  }

  async read(place: number): Promise<AudioToCopy> {
    const [start = 0, end = 0] = [this.#ends[place - 1], this.#ends[place]];
    return deserialize(await this.#spool.read(start, end - start)) as AudioToCopy;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#spool[Symbol.asyncDispose]();
  }
}

/** Written in batches, one after the other. */
class Entries {
  readonly #spool: ItemSpool;
  readonly #ends: number[] = [];
  #batch: Buffer[] = [];
  #batchBytes = 0;

  constructor(spool: ItemSpool) {
    this.#spool = spool;
  }

  async add(entry: AudioToCopy): Promise<void> {
    const packed = serialize(entry);
    this.#batch.push(packed);
    this.#batchBytes += packed.length;
    this.#ends.push((this.#ends.at(-1) ?? 0) + packed.length);
    if (this.#batchBytes >= batchBytes) await this.#write();
  }

  async finish(): Promise<readonly number[]> {
    await this.#write();
    return this.#ends;
  }

  async #write(): Promise<void> {
    const items = Buffer.concat(this.#batch);
    [this.#batch, this.#batchBytes] = [[], 0];
    await this.#spool.add({ items, heads: Buffer.alloc(0) });
  }
}
