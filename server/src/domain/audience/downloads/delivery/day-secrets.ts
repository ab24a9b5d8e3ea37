import { addDays, type UtcDay, utcDayOf } from '../../../../lib/utc-day.ts';
import type { Context } from '../../../foundation/context.ts';
import { isOpen, openDays } from '../days.ts';
import { secretForDay } from '../download-secrets.ts';

/**
 * The secrets of the open days, in memory. Tomorrow's is fetched ahead, so that a database that is
 * away at midnight costs no request.
 */
export class DaySecrets {
  readonly #ctx: Context;
  readonly #secrets = new Map<UtcDay, Buffer>();
  /**
   * Includes failed requests until the next `prepare`, so that a database that is away is asked
   * once.
   */
  readonly #fetching = new Map<UtcDay, Promise<Buffer>>();

  constructor(ctx: Context) {
    this.#ctx = ctx;
  }

  /** Throws RangeError for a closed day, and rejects while the database is away. */
  async get(day: UtcDay): Promise<Buffer> {
    const known = this.#secrets.get(day);
    if (known !== undefined) return known;
    const fetching = this.#fetching.get(day) ?? secretForDay(this.#ctx, day);
    this.#fetching.set(day, fetching);
    const secret = await fetching;
    this.#secrets.set(day, secret);
    this.#fetching.delete(day);
    return secret;
  }

  /** Costs a statement or two a day. Rejects while the database is away. */
  async prepare(): Promise<void> {
    this.#fetching.clear();
    const now = this.#ctx.clock.now();
    const days = openDays(now);
    // Dropped here too when the database drops it, so that no hash leads back to an address.
    for (const day of this.#secrets.keys()) if (!isOpen(day, days)) this.#secrets.delete(day);
    const today = utcDayOf(now);
    await this.get(today);
    await this.get(addDays(today, 1));
  }
}
