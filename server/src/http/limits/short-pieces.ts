import { DomainError } from '../../domain/foundation/errors.ts';
import { sayRefusal } from '../../domain/foundation/refusals.ts';
import { LimitWindows } from '../../platform/rate-limiter/limit-windows.ts';

const windowMs = 60_000;
/** More than a mobile connection that breaks every second. */
export const mostShortPieces = 60;
const shortBytes = 1024 * 1024;
const mostUsers = 10_000;

/**
 * Limits how often a user continues uploads by a few bytes. An S3 store then gets the end of the file again
 * for each piece: up to 8 MB, which are read from it first. Counts what has arrived, because a piece that was
 * announced as long may break off. LIM-20
 */
export class ShortPieces {
  readonly #windows = new LimitWindows({ windowMs, maxKeys: mostUsers });

  /** Throws 429 if the user has sent too many in this minute. */
  refuseTooMany(userId: string, nowMs: number): void {
    if (!this.#windows.isUsedUp(limitOf(userId), nowMs)) return;
    const retryAfterSeconds = windowMs / 1_000;
    throw new DomainError('rate_limited', sayRefusal('attempts_minute'), { retryAfterSeconds });
  }

  /** `bytes`: how many of the piece have been stored. */
  count(userId: string, bytes: number, nowMs: number): void {
    if (bytes < shortBytes) this.#windows.consume(limitOf(userId), nowMs);
  }
}

const limitOf = (userId: string) => [{ key: userId, most: mostShortPieces }];
