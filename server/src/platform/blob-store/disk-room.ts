import { statfs } from 'node:fs/promises';

const mb = 1024 * 1024;
/** This much of the disk stays free for the database, the journal, emails, logs and other programs. */
const defaultSpareBytes = 256 * mb;
/** Bytes of unknown number are reserved in such steps; the disk is looked at again after each. */
const stepBytes = 16 * mb;

/** The disk has no room beside its reserve. It counts as full (`isDiskFull`), though it isn't yet. */
export class DiskReserveError extends Error {
  readonly code = 'ENOSPC';

  constructor(bytes: number) {
    super(`no room for ${bytes} bytes beside the reserve`);
    this.name = 'DiskReserveError';
  }
}

export interface DiskRoomOptions {
  readonly spareBytes?: number | undefined;
  /** For tests. */
  readonly readFreeBytes?: ((folder: string) => Promise<number>) | undefined;
}

/**
 * Keeps part of a disk free. Whoever is about to write foreign bytes reserves room for them first, and
 * `take`s from it as they are written. Reservations are of this process and end with it. Other processes
 * only see what is written already, so each reservation looks at the disk again every 16 MB.
 */
export class DiskRoom {
  readonly #folder: string;
  readonly #spareBytes: number;
  readonly #readFreeBytes: (folder: string) => Promise<number>;
  /** Reserved and not yet written. */
  #promisedBytes = 0;
  /** Of them, those that `require`'s callers count too. */
  #arrivingBytes = 0;
  /** All that is written before somebody looks at the disk again. */
  #nextBytes = 0;
  #last: Promise<unknown> = Promise.resolve();

  constructor(folder: string, options: DiskRoomOptions = {}) {
    this.#folder = folder;
    this.#spareBytes = options.spareBytes ?? defaultSpareBytes;
    this.#readFreeBytes = options.readFreeBytes ?? freeBytesOf;
  }

  /**
   * Throws DiskReserveError if so many bytes don't fit beside what is reserved. They include the bytes
   * for which somebody calls `follow` now or later.
   */
  async require(bytes: number): Promise<void> {
    await this.#inTurn(() => this.#check(bytes, () => this.#promisedBytes - this.#arrivingBytes));
  }

  /**
   * Reserves room until it is disposed. `bytes` undefined: their number is unknown, and they are reserved
   * in steps. Throws DiskReserveError.
   */
  async reserve(bytes?: number): Promise<Reservation> {
    return await this.#reserve(bytes ?? stepBytes, bytes);
  }

  /**
   * The same for bytes of a sender who may be slow on purpose: all of them must fit, but they are reserved
   * in steps as they arrive.
   */
  async reserveArriving(bytes: number | undefined): Promise<Reservation> {
    return await this.#reserve(Math.min(bytes ?? stepBytes, stepBytes), bytes);
  }

  async #reserve(first: number, bytes: number | undefined): Promise<Reservation> {
    await this.#inTurn(async () => {
      await this.#check(bytes ?? first, () => this.#promisedBytes);
      this.#promisedBytes += first;
    });
    const extend = (more: number) =>
      this.#inTurn(async () => {
        await this.#check(more, () => this.#promisedBytes);
        this.#promisedBytes += more;
      });
    const release = (done: number) => {
      this.#promisedBytes -= done;
    };
    return new Reservation({ extend, release, ...this.#looks() }, first, bytes);
  }

  /**
   * For bytes that were promised before, by `require`: reserves them in steps, without a question. A slow
   * sender keeps no more room from others.
   */
  follow(bytes: number): Reservation {
    const first = Math.min(bytes, stepBytes);
    const change = (by: number) => {
      this.#promisedBytes += by;
      this.#arrivingBytes += by;
    };
    change(first);
    const extend = async (more: number) => change(more);
    const release = (done: number) => change(-done);
    return new Reservation({ extend, release, ...this.#looks() }, first, bytes);
  }

  #looks(): Pick<Ledger, 'look' | 'took'> {
    return {
      look: (next) =>
        this.#inTurn(async () => {
          await this.#check(next, () => this.#nextBytes);
          this.#nextBytes += next;
        }),
      took: (done) => {
        this.#nextBytes -= done;
      },
    };
  }

  async #check(bytes: number, promised: () => number): Promise<void> {
    // Bytes written in the meantime may be missing from both figures, so the larger promise counts.
    const before = promised();
    const free = await this.#readFreeBytes(this.#folder);
    const most = Math.max(before, promised());
    if (free < most + bytes + this.#spareBytes) throw new DiskReserveError(bytes);
  }

  /** One after the other, so that the first of two that don't both fit gets the room. */
  async #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#last.then(work);
    this.#last = done.catch(() => {});
    return await done;
  }
}

/** Where a reservation is kept. */
interface Ledger {
  /** Promises more. */
  extend(bytes: number): Promise<void>;
  /** `bytes` of the promised ones have been written, or never will be. */
  release(bytes: number): void;
  /** Throws if the disk has no room for the next bytes, though they were promised. */
  look(bytes: number): Promise<void>;
  /** `bytes` of these have been written, or never will be. */
  took(bytes: number): void;
}

/** Room for one file. */
export class Reservation implements Disposable {
  readonly #ledger: Ledger;
  #left: number;
  /** Of the file, not reserved yet. */
  #rest: number;
  /** May be written before the next look at the disk. */
  #next = 0;

  /** `bytes`: of the whole file; undefined: unknown. */
  constructor(ledger: Ledger, reserved: number, bytes = Number.POSITIVE_INFINITY) {
    this.#ledger = ledger;
    this.#left = reserved;
    this.#rest = bytes - reserved;
  }

  /** Call it before so many bytes are written. Throws DiskReserveError. */
  async take(bytes: number): Promise<void> {
    if (this.#left < bytes) {
      const more = Math.max(bytes - this.#left, Math.min(stepBytes, this.#rest));
      await this.#ledger.extend(more);
      this.#left += more;
      this.#rest -= more;
    }
    if (this.#next < bytes) {
      const next = Math.max(bytes, Math.min(stepBytes, this.#left)) - this.#next;
      await this.#ledger.look(next);
      this.#next += next;
    }
    this.#next -= bytes;
    this.#left -= bytes;
    this.#ledger.took(bytes);
    this.#ledger.release(bytes);
  }

  /** Passes bytes on as their room is taken. */
  async *taking(body: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    for await (const chunk of body) {
      await this.take(chunk.length);
      yield chunk;
    }
  }

  [Symbol.dispose](): void {
    this.#ledger.release(this.#left);
    this.#ledger.took(this.#next);
    this.#left = 0;
    this.#next = 0;
  }
}

async function freeBytesOf(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder);
  return bavail * bsize;
}
