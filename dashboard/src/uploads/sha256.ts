const blockBytes = 64;
const constants = roundConstants();

/**
 * SHA-256 in pieces. The browser's own digest takes a file only whole, and a file may have 2 GB.
 */
export class Sha256 {
  readonly #state = initialState();
  readonly #words = new Uint32Array(64);
  /** The bytes of an unfinished block. */
  readonly #rest = new Uint8Array(blockBytes);
  #restBytes = 0;
  #bytes = 0;

  update(bytes: Uint8Array): void {
    this.#bytes += bytes.length;
    let at = 0;
    if (this.#restBytes > 0) {
      at = Math.min(blockBytes - this.#restBytes, bytes.length);
      this.#rest.set(bytes.subarray(0, at), this.#restBytes);
      this.#restBytes += at;
      if (this.#restBytes < blockBytes) return;
      this.#mix(this.#rest, 0);
      this.#restBytes = 0;
    }
    for (; at + blockBytes <= bytes.length; at += blockBytes) this.#mix(bytes, at);
    this.#rest.set(bytes.subarray(at));
    this.#restBytes = bytes.length - at;
  }

  /** Returns lower-case hex. Nothing may be added afterwards. */
  digest(): string {
    const bits = this.#bytes * 8;
    const zeros = (2 * blockBytes - 9 - (this.#bytes % blockBytes)) % blockBytes;
    const end = new Uint8Array(zeros + 9);
    end[0] = 0x80;
    const view = new DataView(end.buffer);
    view.setUint32(zeros + 1, Math.floor(bits / 2 ** 32));
    view.setUint32(zeros + 5, bits >>> 0);
    this.update(end);
    return Array.from(this.#state, (word) => word.toString(16).padStart(8, '0')).join('');
  }

  #mix(bytes: Uint8Array, from: number): void {
    const words = this.#words;
    for (let i = 0; i < 16; i += 1) {
      const at = from + i * 4;
      words[i] = (byte(bytes, at) << 24) | (byte(bytes, at + 1) << 16) | (byte(bytes, at + 2) << 8);
      words[i] = word(words, i) | byte(bytes, at + 3);
    }
    for (let i = 16; i < 64; i += 1) {
      const [early, late] = [word(words, i - 15), word(words, i - 2)];
      const first = turn(early, 7) ^ turn(early, 18) ^ (early >>> 3);
      const second = turn(late, 17) ^ turn(late, 19) ^ (late >>> 10);
      words[i] = word(words, i - 16) + first + word(words, i - 7) + second;
    }
    compress(this.#state, words);
  }
}

function compress(state: Uint32Array, words: Uint32Array): void {
  let [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = state;
  for (let i = 0; i < 64; i += 1) {
    const choice = (e & f) ^ (~e & g);
    const high = turn(e, 6) ^ turn(e, 11) ^ turn(e, 25);
    const first = (h + high + choice + word(constants, i) + word(words, i)) | 0;
    const majority = (a & b) ^ (a & c) ^ (b & c);
    const second = ((turn(a, 2) ^ turn(a, 13) ^ turn(a, 22)) + majority) | 0;
    h = g;
    g = f;
    f = e;
    e = (d + first) | 0;
    d = c;
    c = b;
    b = a;
    a = (first + second) | 0;
  }
  const mixed = [a, b, c, d, e, f, g, h];
  for (let i = 0; i < 8; i += 1) state[i] = word(state, i) + (mixed[i] ?? 0);
}

const turn = (value: number, by: number): number => (value >>> by) | (value << (32 - by));
const word = (words: Uint32Array, at: number): number => words[at] ?? 0;
const byte = (bytes: Uint8Array, at: number): number => bytes[at] ?? 0;

/** The fractional digits of a root of each of the first primes. */
function fractions(count: number, root: (prime: number) => number): Uint32Array {
  const found: number[] = [];
  for (let n = 2; found.length < count; n += 1) {
    let isPrime = true;
    for (let divisor = 2; divisor * divisor <= n; divisor += 1) {
      if (n % divisor === 0) isPrime = false;
    }
    if (isPrime) found.push((root(n) % 1) * 2 ** 32);
  }
  return Uint32Array.from(found);
}

function roundConstants(): Uint32Array {
  return fractions(64, Math.cbrt);
}

function initialState(): Uint32Array {
  return fractions(8, Math.sqrt);
}
