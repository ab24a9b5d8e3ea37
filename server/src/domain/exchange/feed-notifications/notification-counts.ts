export type NotificationResult = 'sent' | 'failed';

/** Notifications of feeds that this process has sent since its start, for metrics. */
export class NotificationCounts {
  readonly #counts = new Map<
    string,
    { channel: string; result: NotificationResult; count: number }
  >();

  /** `channel`: one of few values. */
  add(channel: string, result: NotificationResult): void {
    const key = `${channel} ${result}`;
    const known = this.#counts.get(key);
    if (known === undefined) this.#counts.set(key, { channel, result, count: 1 });
    else known.count += 1;
  }

  entries(): Iterable<{
    readonly channel: string;
    readonly result: string;
    readonly count: number;
  }> {
    return this.#counts.values();
  }
}
