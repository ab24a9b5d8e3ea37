import type { ClassifiedRequest } from '../audio-request.ts';
import { type Crowd, crowdKey, crowdsOf, mostListenersOf } from './crowds.ts';
import { type Receipt, receiptOf, uniteWith } from './receipt.ts';
import { listenerKey, receiptKey } from './receipt-collector.ts';
import { lastStage, mostNewcomers, stageOf } from './stages.ts';

interface Members {
  readonly of: Crowd['of'];
  /** Its listeners, by the stage of the first request of each. */
  readonly newcomers: number[];
  downloads: number;
}

/**
 * The limit of `ListenerLimit` for all evidence of a day, which comes listener by listener. The same listeners have
 * places for downloads. Who had a place of an earlier stage when the requests came is unknown, so of these the most
 * that may have come are accepted: none that `ListenerLimit` has. `crowds`: those that may exceed the limit.
 */
export class OrderedListenerLimit {
  readonly #crowds: ReadonlyMap<string, Members>;
  /** The listener whose requests come now, and the stages and receipts of its episodes. */
  #listener = '';
  readonly #stages = new Map<string, number>();
  readonly #receipts = new Map<string, Receipt>();

  constructor(crowds: readonly Crowd[]) {
    this.#crowds = new Map(
      crowds.map((one) => [crowdKey(one), { of: one.of, newcomers: [], downloads: 0 }]),
    );
  }

  apply(request: ClassifiedRequest): ClassifiedRequest {
    if (request.rejected !== null || this.#crowds.size === 0) return request;
    const crowds = crowdsOf(request).flatMap((crowd) => this.#crowds.get(crowdKey(crowd)) ?? []);
    if (crowds.length === 0 || this.#accept(receiptOf(request), crowds)) return request;
    return { ...request, rejected: 'too_many_listeners' };
  }

  #accept(receipt: Receipt, crowds: readonly Members[]): boolean {
    this.#begin(listenerKey(receipt));
    const { episodeId } = receipt;
    const key = receiptKey(receipt);
    const united = uniteWith(this.#receipts.get(key), receipt);
    const before = this.#stages.get(episodeId);
    const stage = Math.max(before ?? 0, stageOf(united));
    const isNewcomer = before === undefined;
    const becomesDownload = stage === lastStage && before !== lastStage;
    for (const { of, newcomers, downloads } of crowds) {
      const most = mostListenersOf[of];
      if (becomesDownload && downloads >= most) return false;
      if (isNewcomer && (newcomers[stage] ?? 0) >= mostNewcomers(most, stage)) return false;
    }
    for (const crowd of crowds) {
      if (becomesDownload) crowd.downloads += 1;
      if (isNewcomer) crowd.newcomers[stage] = (crowd.newcomers[stage] ?? 0) + 1;
    }
    this.#stages.set(episodeId, stage);
    this.#receipts.set(key, united);
    return true;
  }

  #begin(listener: string): void {
    if (listener === this.#listener) return;
    this.#listener = listener;
    this.#stages.clear();
    this.#receipts.clear();
  }
}
