import { hash } from 'node:crypto';

const words = 8;

/** The sum of the SHA-256 of all rows, modulo 2^256: equal for the same rows in any order. */
export class RowDigest {
  readonly #sum = new Uint32Array(words);

  add(line: string): void {
    const row = hash('sha256', line, 'buffer');
    let carry = 0;
    for (let at = words - 1; at >= 0; at -= 1) {
      const sum = (this.#sum[at] ?? 0) + row.readUInt32BE(at * 4) + carry;
      this.#sum[at] = sum;
      carry = sum > 0xffff_ffff ? 1 : 0;
    }
  }

  toString(): string {
    return Array.from(this.#sum, (word) => word.toString(16).padStart(8, '0')).join('');
  }
}
