import { type RawBuilder, sql } from 'kysely';
import type { SplitRange } from './whole-months.ts';

/**
 * Statements over sums by `day` and by `month`. They end inside `where`, so a condition is added
 * with `and`.
 */
interface Sums {
  readonly ofDays: RawBuilder<unknown>;
  readonly ofMonths: RawBuilder<unknown>;
}

/** The rows of a range: whole months, and the days before and after them. */
export function selectSplit(
  { ofDays, ofMonths }: Sums,
  { days, months }: SplitRange,
): RawBuilder<unknown> {
  const parts = days.map(({ from, to }) => sql`${ofDays} and day between ${from} and ${to}`);
  if (months !== undefined) {
    parts.push(sql`${ofMonths} and month between ${months.from} and ${months.to}`);
  }
  return sql.join(parts, sql` union all `);
}
