import { DomainError } from '../../domain/foundation/errors.ts';

const mostOfUser = 2;
/** Its team may have many members. They don't keep its owner from one. */
const mostOfAccount = 4;
/** Each has a file in memory until its client has read it: a long transcript has some 20 MB. */
const mostOfAll = 20;
/** When so many places are taken, only accounts that have none get one. */
const manyOfAll = 12;

/** Whose export it is: of the user who downloads it, and of the account that owns the show. */
interface ExportOwner {
  readonly userId: string;
  readonly accountId: string;
  /** Whether the user owns the show. */
  readonly isOwner: boolean;
}

/** The exports that this process sends. A client may take hours to read one. */
export class ExportPlaces {
  readonly #taken = new Set<ExportOwner>();

  /**
   * The place is taken until it is disposed. Throws 429 if the user, their account or all have too
   * many.
   */
  take({ userId, accountId, isOwner }: ExportOwner): Disposable {
    const place = { userId, accountId, isOwner };
    const all = [...this.#taken];
    const ofUser = all.filter((one) => one.userId === userId).length;
    const ofAccount = all.filter((one) => one.accountId === accountId).length;
    const isFirstOfOwner = isOwner && ofUser === 0;
    const isOneTooMany =
      ofUser >= mostOfUser ||
      (ofAccount >= mostOfAccount && !isFirstOfOwner) ||
      all.length >= mostOfAll ||
      (all.length >= manyOfAll && ofAccount > 0);
    if (isOneTooMany) {
      const message = 'Too many exports are being downloaded. Try again when one has ended.';
      throw new DomainError('rate_limited', message, { retryAfterSeconds: 60 });
    }
    this.#taken.add(place);
    return { [Symbol.dispose]: () => void this.#taken.delete(place) };
  }
}
