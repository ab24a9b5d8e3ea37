import type { IncomingMessage } from 'node:http';
import { DomainError } from '../../domain/foundation/errors.ts';
import { NetworkPlaces } from './network-places.ts';

interface Options {
  readonly most: number;
  readonly networkOf: (request: IncomingMessage) => string;
  readonly onRefused: () => void;
}

/**
 * Limits the clients to whom a stored file is being sent: each keeps a connection to the store or an open
 * file until it has read all, and may pause. A response that has begun is not refused: `add` counts it.
 */
export class FileClients extends NetworkPlaces {
  readonly #onRefused: () => void;

  constructor({ onRefused, ...options }: Options) {
    super(options);
    this.#onRefused = onRefused;
  }

  /** Counts the client until the place is disposed. Throws 503 if there is none. */
  admit(request: IncomingMessage): Disposable {
    if (this.hasPlace(request)) return this.add(request);
    this.#onRefused();
    const message = 'Too many files are being sent to your network. Try again shortly.';
    throw new DomainError('service_unavailable', message, { retryAfterSeconds: 10 });
  }
}
