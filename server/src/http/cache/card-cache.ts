import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { DomainError } from '../../domain/foundation/errors.ts';
import type { Card } from '../../domain/public/cards/index.ts';
import type { PublicPodcast } from '../../domain/public/catalogue/index.ts';
import { ProcessError } from '../../platform/processes/job.ts';
import { Turns } from '../../platform/processes/turns.ts';
import type { Waiters } from '../limits/waiters.ts';
import { createPayload, type Payload } from '../responses/payload.ts';
import { withTrainingHeaders } from '../responses/training-headers.ts';
import { PodcastCache } from './podcast-cache.ts';

/** Some 200 cards. Networks and browsers keep their own copies. */
const mostBytes = 12 * 1024 * 1024;
/** A client network has one card drawn at once, so that its flood leaves the other place to the rest. */
const mostAtOnce = 2;
/** Proxies wait no longer. On a busy machine, the start of a process and a card take some seconds. */
const mostWaitMs = 60_000;
/** A card that takes too long is not drawn again for so long, however often it is requested. */
const failureMs = 60_000;
const mostFailures = 1_000;

const tooMany = 'Too many pictures are being drawn.';

type CardShow = Pick<PublicPodcast, 'id' | 'aiTraining'>;

interface CardClient {
  /** The one that takes turns. */
  readonly network: string;
  /** Aborts when it leaves. */
  readonly leaving: AbortSignal;
}

/**
 * Cards by what they show, so a change of a show drops none that looks the same. Requests for the
 * same card share one drawing. Networks take turns, not shows: anyone may request the cards of all
 * shows.
 */
export class CardCache {
  readonly #payloads: PodcastCache<Payload>;
  readonly #turns = new Turns(mostAtOnce, { mostOfOwner: 1 });
  readonly #mostWaitMs: number;
  readonly #nowMs: () => number;
  readonly #failures = new LRUCache<string, Failure>({ max: mostFailures });

  constructor(nowMs: () => number, options: { readonly mostWaitMs?: number } = {}) {
    this.#payloads = new PodcastCache({ maxBytes: mostBytes, nowMs });
    this.#nowMs = nowMs;
    this.#mostWaitMs = options.mostWaitMs ?? mostWaitMs;
  }

  has(show: CardShow, card: Card): boolean {
    return this.#payloads.peek(keyOf(show, card)) !== undefined;
  }

  /**
   * The card of this show, drawn by `draw` in a turn, unless all clients have left. Throws 503 if too
   * many wait, and after a minute (PAGE-16); the card is drawn nevertheless, for those who ask again.
   */
  async get(
    show: CardShow,
    card: Card,
    draw: (left: AbortSignal) => Promise<Buffer>,
    client: CardClient,
  ): Promise<Payload> {
    const { id: podcastId } = show;
    const key = keyOf(show, card);
    const lasting = withTrainingHeaders({}, show);
    const compute = async (waiters: Waiters) => {
      this.#refuseFailed(key);
      const claimOf = (owner = client.network) => ({ owner });
      using _turn = await waiters.takeTurn(this.#turns, claimOf, tooMany);
      const picture = await draw(waiters.left ?? client.leaving).catch((error: unknown) => {
        if (isOfCard(error)) this.#failures.set(key, { error, atMs: this.#nowMs() });
        throw error;
      });
      const value = await createPayload('image/jpeg', picture, { only: 'identity', lasting });
      return { podcastId, value, validUntil: null, sizeBytes: value.totalBytes };
    };
    const drawn = this.#payloads.peek(key);
    if (drawn !== undefined) return drawn.value;
    const awaited = this.#payloads.get(key, compute, undefined, client);
    return (await withinTime(awaited, this.#mostWaitMs)).value;
  }

  #refuseFailed(key: string): void {
    const failure = this.#failures.get(key);
    // The clock may have been set back.
    if (failure !== undefined && Math.abs(this.#nowMs() - failure.atMs) < failureMs)
      throw failure.error;
  }
}

interface Failure {
  readonly error: unknown;
  readonly atMs: number;
}

/** Whether drawing the card itself has failed, and would fail again. */
const isOfCard = (error: unknown) =>
  error instanceof DomainError && error.cause instanceof ProcessError && error.cause.isOfInput;

async function withinTime<T>(awaited: Promise<T>, mostMs: number): Promise<T> {
  const late = Promise.withResolvers<never>();
  const message = 'This picture has not been drawn yet. Try again shortly.';
  const refusal = new DomainError('service_unavailable', message, { retryAfterSeconds: 10 });
  const timer = setTimeout(() => late.reject(refusal), mostMs);
  return await Promise.race([awaited, late.promise]).finally(() => clearTimeout(timer));
}

/** What the picture doesn't say, its headers do (PAGE-18). */
const keyOf = ({ aiTraining }: CardShow, card: Card) =>
  createHash('sha256')
    .update(JSON.stringify([aiTraining, card]))
    .digest('base64url');
