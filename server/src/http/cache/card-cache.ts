import { createHash } from 'node:crypto';
import type { Card } from '../../domain/public/cards/index.ts';
import { Turns } from '../../platform/processes/turns.ts';
import { takeTurn } from '../limits/take-turn.ts';
import { createPayload, type Payload } from '../responses/payload.ts';
import { PodcastCache } from './podcast-cache.ts';

/** Some 200 cards. Networks and browsers keep their own copies. */
const mostBytes = 12 * 1024 * 1024;
/** A show has one card drawn at once, so that a flood for one leaves the other place to the rest. */
const mostAtOnce = 2;

/**
 * Cards by what they show, so a change of a show drops none that looks the same. Requests for the same card share one
 * drawing.
 */
export class CardCache {
  readonly #payloads: PodcastCache<Payload>;
  readonly #turns = new Turns(mostAtOnce, { mostOfOwner: 1 });

  constructor(nowMs: () => number) {
    this.#payloads = new PodcastCache({ maxBytes: mostBytes, nowMs });
  }

  has(card: Card): boolean {
    return this.#payloads.peek(keyOf(card)) !== undefined;
  }

  /**
   * The card of this show, drawn by `draw` in a turn, unless all clients have left: `leaving` aborts when this
   * one does. Throws 503 if too many wait.
   */
  async get(
    podcastId: string,
    card: Card,
    draw: (left: AbortSignal) => Promise<Buffer>,
    leaving: AbortSignal,
  ): Promise<Payload> {
    const compute = async (signal: AbortSignal) => {
      const claim = { owner: podcastId, signal };
      using _turn = await takeTurn(this.#turns, claim, 'Too many pictures are being drawn.');
      const value = await createPayload('image/jpeg', await draw(signal), { only: 'identity' });
      return { podcastId, value, validUntil: null, sizeBytes: value.totalBytes };
    };
    const entry = await this.#payloads.get(keyOf(card), compute, undefined, leaving);
    return entry.value;
  }
}

const keyOf = (card: Card) => createHash('sha256').update(JSON.stringify(card)).digest('base64url');
