import type { ByteRange } from '../../lib/byte-range.ts';
import type { UtcDay } from '../../lib/utc-day.ts';

const firstBytes = 64 * 1024;
const dayMs = 86_400_000;
/** PostgreSQL counts dates and times from here. */
const epochMs = Date.UTC(2000, 0, 1);
/** The size of a range: its own size, flags, and two bounds with their sizes. */
const rangeBytes = 4 + 1 + 12 + 12;
/** The flags of a range that includes its lower bound but not its upper bound. */
const halfOpen = 2;
const hyphen = 0x2d;
/** The value of each hexadecimal digit, by its code. */
const digitValues = new Int8Array(128).fill(-1);
for (const [value, digit] of [...'0123456789abcdef'].entries()) {
  digitValues[digit.charCodeAt(0)] = value;
  digitValues[digit.toUpperCase().charCodeAt(0)] = value;
}

/** Rows of one day follow each other, and parsing it takes as long as writing three columns. */
let recent = { day: '', number: 0 };

/** A value that its column cannot hold. */
export class UnfitValueError extends Error {
  override readonly name = 'UnfitValueError';
}

/**
 * Values in PostgreSQL's binary formats, each with its size before it, as in rows of COPY and in
 * arrays. A method throws UnfitValueError for a value that no such column holds.
 */
export class BinaryValues {
  #bytes = Buffer.allocUnsafe(firstBytes);
  #view = viewOf(this.#bytes);
  #size: number;

  /** Begins with the bytes of `head`. */
  constructor(head: Buffer) {
    this.#size = head.copy(this.#bytes);
  }

  /** All that was written. Do not use the object afterwards. */
  take(): Buffer {
    return this.#bytes.subarray(0, this.#size);
  }

  /** A number of 16 bits, without its size. */
  protected bareInt2(value: number): void {
    this.#reserve(2);
    this.#view.setInt16(this.#size, value);
    this.#size += 2;
  }

  text(value: string | null): void {
    if (value === null) {
      this.#null();
      return;
    }
    // A UTF-16 unit takes at most three bytes.
    this.#reserve(4 + value.length * 3);
    const bytes = this.#bytes.write(value, this.#size + 4);
    this.#view.setInt32(this.#size, bytes);
    this.#size += 4 + bytes;
  }

  uuid(value: string): void {
    if (!hasUsualHyphens(value)) {
      this.hex(value.replaceAll('-', ''), 16);
      return;
    }
    this.#reserve(20);
    this.#view.setInt32(this.#size, 16);
    this.#size += 4;
    this.#digits(value, 0, 8);
    this.#digits(value, 9, 13);
    this.#digits(value, 14, 18);
    this.#digits(value, 19, 23);
    this.#digits(value, 24, 36);
  }

  /** For columns of type bytea, uuid or bigint. The value has this length. */
  hex(digits: string | null, bytes: number): void {
    if (digits === null) {
      this.#null();
      return;
    }
    if (digits.length !== bytes * 2) throw new UnfitValueError(`not ${bytes} bytes`);
    this.#reserve(4 + bytes);
    this.#view.setInt32(this.#size, bytes);
    this.#size += 4;
    this.#digits(digits, 0, digits.length);
  }

  int4(value: number): void {
    if ((value | 0) !== value) throw new UnfitValueError('not a 32-bit number');
    this.#int4(value);
  }

  int8(value: number | null): void {
    if (value === null) this.#null();
    else this.#int8(value);
  }

  boolean(value: boolean): void {
    this.#reserve(5);
    this.#view.setInt32(this.#size, 1);
    this.#view.setUint8(this.#size + 4, value ? 1 : 0);
    this.#size += 5;
  }

  date(day: UtcDay | null): void {
    if (day === null) {
      this.#null();
      return;
    }
    if (day !== recent.day) recent = { day, number: (Date.parse(day) - epochMs) / dayMs };
    this.#int4(recent.number);
  }

  timestamp(at: Date): void {
    const ms = at.getTime() - epochMs;
    if (Number.isNaN(ms)) throw new UnfitValueError('no moment');
    // Microseconds of distant years exceed the safe integers, so both halves are multiplied.
    const low = (ms >>> 0) * 1_000;
    const high = Math.floor(ms / 2 ** 32) * 1_000 + Math.floor(low / 2 ** 32);
    this.#eightBytes(high, low);
  }

  /** For columns of type int8multirange. The database sorts and merges the ranges. */
  multirange(ranges: readonly ByteRange[]): void {
    this.#reserve(8);
    this.#view.setInt32(this.#size, 4 + ranges.length * rangeBytes);
    this.#view.setInt32(this.#size + 4, ranges.length);
    this.#size += 8;
    for (const { start, end } of ranges) {
      this.#reserve(5);
      this.#view.setInt32(this.#size, rangeBytes - 4);
      this.#view.setUint8(this.#size + 4, halfOpen);
      this.#size += 5;
      this.#int8(start);
      this.#int8(end + 1);
    }
  }

  #null(): void {
    this.#reserve(4);
    this.#view.setInt32(this.#size, -1);
    this.#size += 4;
  }

  #int4(value: number): void {
    this.#reserve(8);
    this.#view.setInt32(this.#size, 4);
    this.#view.setInt32(this.#size + 4, value);
    this.#size += 8;
  }

  #int8(value: number): void {
    if (!Number.isSafeInteger(value)) throw new UnfitValueError('not a safe integer');
    this.#eightBytes(Math.floor(value / 2 ** 32), value);
  }

  /** Of `low` it takes the lowest 32 bits. */
  #eightBytes(high: number, low: number): void {
    this.#reserve(12);
    this.#view.setInt32(this.#size, 8);
    this.#view.setInt32(this.#size + 4, high);
    this.#view.setUint32(this.#size + 8, low);
    this.#size += 12;
  }

  /** Writes an even number of digits. Call `#reserve` before. */
  #digits(text: string, from: number, to: number): void {
    const bytes = this.#bytes;
    let size = this.#size;
    for (let at = from; at < to; at += 2) {
      const high = digitValues[text.charCodeAt(at)] ?? -1;
      const low = digitValues[text.charCodeAt(at + 1)] ?? -1;
      if (high < 0 || low < 0) throw new UnfitValueError('not a hexadecimal digit');
      bytes[size] = (high << 4) | low;
      size += 1;
    }
    this.#size = size;
  }

  #reserve(bytes: number): void {
    if (this.#size + bytes <= this.#bytes.length) return;
    const larger = Buffer.allocUnsafe(Math.max(this.#bytes.length * 2, this.#size + bytes));
    this.#bytes.copy(larger, 0, 0, this.#size);
    this.#bytes = larger;
    this.#view = viewOf(larger);
  }
}

function viewOf({ buffer, byteOffset, length }: Buffer): DataView {
  return new DataView(buffer, byteOffset, length);
}

function hasUsualHyphens(uuid: string): boolean {
  return (
    uuid.length === 36 &&
    uuid.charCodeAt(8) === hyphen &&
    uuid.charCodeAt(13) === hyphen &&
    uuid.charCodeAt(18) === hyphen &&
    uuid.charCodeAt(23) === hyphen
  );
}
