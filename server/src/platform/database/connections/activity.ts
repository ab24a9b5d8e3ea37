/** Memory that two threads share: how long one has been busy without a pause. */
export class Activity {
  readonly #since: Int32Array;

  /** `shared` comes from the other thread; without it, allocates new memory. */
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

  /** 0 while idle. */
  busySeconds(): number {
    const since = Atomics.load(this.#since, 0);
    return since === 0 ? 0 : nowSeconds() - since;
  }
}

/** A monotonic clock for all threads. */
function nowSeconds(): number {
  return Number(process.hrtime.bigint() / 1_000_000_000n);
}
