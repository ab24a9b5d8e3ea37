import { createYielder } from '../../../../lib/time-slices.ts';
import type { UtcDay } from '../../../../lib/utc-day.ts';
import type { ClassifiedRequest } from '../audio-request.ts';
import { type Listener, type Receipt, receiptOf, uniteWith } from './receipt.ts';

/** What one listener has received. */
export interface ListenerReceipts {
  readonly listener: Listener;
  readonly receipts: readonly Receipt[];
}

/** Unites requests that may count, by listener, episode and version of the audio. */
export class ReceiptCollector {
  readonly #receipts = new Map<string, Receipt>();
  #requests = 0;

  /** The number of requests that it was given and that may count. */
  get requests(): number {
    return this.#requests;
  }

  get receipts(): Iterable<Receipt> {
    return this.#receipts.values();
  }

  /** Each listener once. Yields to other tasks. */
  async byListener(): Promise<ListenerReceipts[]> {
    const maybeYield = createYielder();
    const all = new Map<string, { readonly listener: Listener; readonly receipts: Receipt[] }>();
    for (const receipt of this.#receipts.values()) {
      const key = listenerKey(receipt);
      const known = all.get(key);
      if (known === undefined) all.set(key, { listener: receipt, receipts: [receipt] });
      else known.receipts.push(receipt);
      const pause = maybeYield();
      if (pause !== undefined) await pause;
    }
    return [...all.values()];
  }

  async byDay(): Promise<Map<UtcDay, ListenerReceipts[]>> {
    return Map.groupBy(await this.byListener(), ({ listener }) => listener.day);
  }

  /** Passes over a request that is rejected. */
  add(request: ClassifiedRequest): void {
    if (request.rejected !== null) return;
    this.#requests += 1;
    addReceipt(this.#receipts, receiptOf(request));
  }
}

/** Adds a receipt to others, which have the keys of `receiptKey`. */
export function addReceipt(receipts: Map<string, Receipt>, receipt: Receipt): void {
  const key = receiptKey(receipt);
  receipts.set(key, uniteWith(receipts.get(key), receipt));
}

export function receiptKey(receipt: Receipt): string {
  return `${listenerKey(receipt)} ${receipt.episodeId} ${receipt.file}`;
}

export function listenerKey({ day, podcastId, listener }: Listener): string {
  return `${day} ${podcastId} ${listener}`;
}
