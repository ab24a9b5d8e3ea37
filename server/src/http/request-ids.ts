import { randomUUID } from 'node:crypto';

const firstNumber = 0x1000;
const lastNumber = 0xffff;

/**
 * UUIDs that count in their last four digits. A draw of randomness is made for every 61,440 of
 * them: one for each would take longer than all else that a cached answer needs.
 */
export class RequestIds {
  #stem = '';
  #number = lastNumber;

  next(): string {
    if (this.#number === lastNumber) {
      this.#stem = randomUUID().slice(0, -4);
      this.#number = firstNumber;
    } else {
      this.#number += 1;
    }
    return this.#stem + this.#number.toString(16);
  }
}
