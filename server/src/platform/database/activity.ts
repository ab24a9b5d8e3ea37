/** A word of memory that two threads share: since when the one has been at work without a pause. */
export class Activity {
  readonly #since: Int32Array;

  /** `shared` is what the other thread was given; without it, new memory. */
  constructor(shared: SharedArrayBuffer = new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT)) {
    this.#since = new Int32Array(shared);
  }

  get shared(): SharedArrayBuffer {
    return this.#since.buffer as SharedArrayBuffer;
  }

  begin(): void {
    Atomics.store(this.#since, 0, nowSeconds());
  }

  end(): void {
    Atomics.store(this.#since, 0, 0);
  }

  /** 0 while at rest. */
  busySeconds(): number {
    const since = Atomics.load(this.#since, 0);
    return since === 0 ? 0 : nowSeconds() - since;
  }
}

/** One clock for all threads, which nobody sets. */
function nowSeconds(): number {
  return Number(process.hrtime.bigint() / 1_000_000_000n);
}
