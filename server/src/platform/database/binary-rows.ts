import type { ByteRange } from '../../lib/byte-range.ts';
import type { UtcDay } from '../../lib/utc-day.ts';

const firstBytes = 64 * 1024;
const dayMs = 86_400_000;
/** PostgreSQL counts dates and times from here. */
const epochMs = Date.UTC(2000, 0, 1);
const signature = Buffer.concat([Buffer.from('PGCOPY\n\xff\r\n\0', 'latin1'), Buffer.alloc(8)]);
/** The flags of a range that includes its lower bound but not its upper bound. */
const halfOpen = 2;

/** A value that its column cannot hold. */
export class UnfitValueError extends Error {
  override readonly name = 'UnfitValueError';
}

/**
 * Rows in the binary format of COPY: `begin` starts a row, and each further method writes a column.
 * https://www.postgresql.org/docs/15/sql-copy.html
 *
 * A method throws UnfitValueError for a value that no such column holds.
 */
export class BinaryRows {
  #bytes = Buffer.allocUnsafe(firstBytes);
  #size = signature.copy(this.#bytes);

  begin(columns: number): void {
    this.#reserve(2);
    this.#size = this.#bytes.writeInt16BE(columns, this.#size);
  }

  /** Returns all rows with the end mark. Do not use the object afterwards. */
  finish(): Buffer {
    this.begin(-1);
    return this.#bytes.subarray(0, this.#size);
  }

  text(value: string | null): void {
    if (value === null) {
      this.#int4(-1);
      return;
    }
    const start = this.#size;
    // A UTF-16 unit takes at most three bytes.
    this.#reserve(4 + value.length * 3);
    this.#size += 4 + this.#bytes.write(value, start + 4);
    this.#bytes.writeInt32BE(this.#size - start - 4, start);
  }

  uuid(value: string): void {
    this.hex(value.replaceAll('-', ''), 16);
  }

  /** For columns of type bytea or uuid. The value has this length. */
  hex(digits: string, bytes: number): void {
    this.#int4(bytes);
    this.#reserve(bytes);
    const written = this.#bytes.write(digits, this.#size, 'hex');
    if (written !== bytes || digits.length !== bytes * 2)
      throw new UnfitValueError(`not ${bytes} bytes in hexadecimal digits`);
    this.#size += bytes;
  }

  int4(value: number): void {
    if ((value | 0) !== value) throw new UnfitValueError('no number of 32 bits');
    this.#int4(4);
    this.#int4(value);
  }

  int8(value: number | null): void {
    this.#int4(value === null ? -1 : 8);
    if (value !== null) this.#eightBytes(value);
  }

  boolean(value: boolean): void {
    this.#int4(1);
    this.#reserve(1);
    this.#size = this.#bytes.writeUInt8(value ? 1 : 0, this.#size);
  }

  date(day: UtcDay): void {
    this.#int4(4);
    this.#int4((Date.parse(day) - epochMs) / dayMs);
  }

  timestamp(at: Date): void {
    this.#int4(8);
    this.#reserve(8);
    // Microseconds of distant years exceed the safe integers.
    const micros = BigInt(at.getTime() - epochMs) * 1_000n;
    this.#size = this.#bytes.writeBigInt64BE(micros, this.#size);
  }

  /** For columns of type int8multirange. The database sorts and merges the ranges. */
  multirange(ranges: readonly ByteRange[]): void {
    const start = this.#size;
    this.#int4(0);
    this.#int4(ranges.length);
    for (const range of ranges) {
      this.#int4(25);
      this.#reserve(1);
      this.#size = this.#bytes.writeUInt8(halfOpen, this.#size);
      this.int8(range.start);
      this.int8(range.end + 1);
    }
    this.#bytes.writeInt32BE(this.#size - start - 4, start);
  }

  #int4(value: number): void {
    this.#reserve(4);
    this.#size = this.#bytes.writeInt32BE(value, this.#size);
  }

  #eightBytes(value: number): void {
    if (!Number.isSafeInteger(value)) throw new UnfitValueError('no safe integer');
    this.#reserve(8);
    this.#size = this.#bytes.writeInt32BE(Math.floor(value / 2 ** 32), this.#size);
    this.#size = this.#bytes.writeUInt32BE(value >>> 0, this.#size);
  }

  #reserve(bytes: number): void {
    if (this.#size + bytes <= this.#bytes.length) return;
    const larger = Buffer.allocUnsafe(Math.max(this.#bytes.length * 2, this.#size + bytes));
    this.#bytes.copy(larger, 0, 0, this.#size);
    this.#bytes = larger;
  }
}
