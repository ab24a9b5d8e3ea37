import { createHash } from 'node:crypto';
import type { Card } from '../../domain/public/cards/index.ts';
import type { PublicPodcast } from '../../domain/public/catalogue/index.ts';
import { Turns } from '../../platform/processes/turns.ts';
import { takeTurn } from '../limits/take-turn.ts';
import { createPayload, type Payload } from '../responses/payload.ts';
import { withTrainingHeaders } from '../responses/training-headers.ts';
import { PodcastCache } from './podcast-cache.ts';

/** Some 200 cards. Networks and browsers keep their own copies. */
const mostBytes = 12 * 1024 * 1024;
/**
 * A show has one card drawn at once, so that a flood for one leaves the other place to the rest. Networks that
 * request cards of one show take turns.
 */
const mostAtOnce = 2;

type CardShow = Pick<PublicPodcast, 'id' | 'aiTraining'>;

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

  has(show: CardShow, card: Card): boolean {
    return this.#payloads.peek(keyOf(show, card)) !== undefined;
  }

  /**
   * The card of this show, drawn by `draw` in a turn of `client`, a network, unless all clients have left: `leaving`
   * aborts when this one does. Throws 503 if too many of the show wait, and most of them for this network.
   */
  async get(
    show: CardShow,
    card: Card,
    draw: (left: AbortSignal) => Promise<Buffer>,
    { client, leaving }: { readonly client: string; readonly leaving: AbortSignal },
  ): Promise<Payload> {
    const { id: podcastId } = show;
    const lasting = withTrainingHeaders({}, show);
    const compute = async (signal: AbortSignal) => {
      const claim = { owner: podcastId, client, signal };
      using _turn = await takeTurn(this.#turns, claim, 'Too many pictures are being drawn.');
      const picture = await draw(signal);
      const value = await createPayload('image/jpeg', picture, { only: 'identity', lasting });
      return { podcastId, value, validUntil: null, sizeBytes: value.totalBytes };
    };
    const entry = await this.#payloads.get(keyOf(show, card), compute, undefined, leaving);
    return entry.value;
  }
}

/** What the picture doesn't say, its headers do (PAGE-18). */
const keyOf = ({ aiTraining }: CardShow, card: Card) =>
  createHash('sha256')
    .update(JSON.stringify([aiTraining, card]))
    .digest('base64url');
