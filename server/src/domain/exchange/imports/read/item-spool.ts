import { type FileHandle, open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { describeBytes } from '../../../../lib/describe-bytes.ts';
import { newId } from '../../../../lib/uuid.ts';
import type { Reservation } from '../../../../platform/blob-store/disk-room.ts';
import type { Context } from '../../../foundation/context.ts';
import type { ImportLimits } from '../import-limits.ts';
import { refuseImport } from '../refuse-import.ts';
import type { PackedItems } from './packed-items.ts';

type SpoolLimits = Pick<ImportLimits, 'itemBytes' | 'itemMemory'>;

/** Some items of a page, and their heads behind them. */
export interface SpooledPart {
  readonly at: number;
  readonly itemBytes: number;
  readonly headBytes: number;
}

interface SpooledPage {
  readonly parts: readonly SpooledPart[];
  readonly heldBytes: number;
}

/**
 * The items of a feed in a temporary file: a feed of 100 MB can have ten times as much in sanitized
 * texts. The file has no name, so nothing is left of it when it is closed or this process is killed.
 */
export class ItemSpool implements AsyncDisposable {
  readonly #file: FileHandle;
  readonly #room: Reservation;
  readonly #limits: SpoolLimits;
  #sizeBytes = 0;
  /** Of pages that are not used. */
  #droppedBytes = 0;
  #heldBytes = 0;
  #last: Promise<unknown> = Promise.resolve();

  private constructor(file: FileHandle, room: Reservation, limits: SpoolLimits) {
    this.#file = file;
    this.#room = room;
    this.#limits = limits;
  }

  /** Throws DiskReserveError. */
  static async open({ blobs }: Pick<Context, 'blobs'>, limits: SpoolLimits): Promise<ItemSpool> {
    const path = join(blobs.scratchDir, `items-${newId()}`);
    const room = await blobs.room.reserve();
    try {
      const file = await open(path, 'wx+', 0o600);
      await rm(path);
      return new ItemSpool(file, room, limits);
    } catch (error) {
      room[Symbol.dispose]();
      throw error;
    }
  }

  /** The memory that the items of all pages need later. */
  get heldBytes(): number {
    return this.#heldBytes;
  }

  /** Throws a refusal if the feed's texts are too large, and DiskReserveError. */
  add({ items, heads }: Pick<PackedItems, 'items' | 'heads'>): Promise<SpooledPart> {
    const part = { at: this.#sizeBytes, itemBytes: items.length, headBytes: heads.length };
    this.#sizeBytes += items.length + heads.length;
    const { itemBytes } = this.#limits;
    if (this.#sizeBytes - this.#droppedBytes > itemBytes)
      return Promise.reject(refuseTexts(itemBytes));
    const written = this.#last.then(async () => {
      await this.#room.take(items.length + heads.length);
      await this.#file.writev([items, heads], part.at);
      return part;
    });
    // The next one fails, too.
    this.#last = written;
    return written;
  }

  /** Counts memory that a page needs later. */
  count(heldBytes: number): void {
    this.requireMemory(heldBytes);
    this.#heldBytes += heldBytes;
  }

  /** A page is not used: others may be as large as if it had not been read. */
  drop({ heldBytes, parts }: SpooledPage): void {
    this.#heldBytes -= heldBytes;
    for (const { itemBytes, headBytes } of parts) this.#droppedBytes += itemBytes + headBytes;
  }

  /** Throws a refusal if the items of a page would need too much memory with those of the others. */
  requireMemory(heldBytes: number): void {
    const { mostBytes } = this.#limits.itemMemory;
    if (this.#heldBytes + heldBytes <= mostBytes) return;
    const message = `The episodes of the feed need more than the ${describeBytes(mostBytes)} of memory that this server has for imports. Import a feed with fewer episodes, or contact the operator.`;
    throw refuseImport('too_large', message);
  }

  async read(at: number, length: number): Promise<Buffer> {
    const { buffer, bytesRead } = await this.#file.read(Buffer.allocUnsafe(length), 0, length, at);
    if (bytesRead !== length) throw new Error('the spool of a feed is incomplete');
    return buffer;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#last.catch(() => {});
    this.#room[Symbol.dispose]();
    await this.#file.close();
  }
}

function refuseTexts(mostBytes: number): Error {
  const message = `The texts of the feed's episodes have more than ${describeBytes(mostBytes)}, once they are cleaned. Import a feed with fewer episodes or shorter show notes.`;
  return refuseImport('too_large', message);
}
