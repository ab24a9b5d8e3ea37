import { type RawBuilder, sql } from 'kysely';
import type { SplitRange } from './whole-months.ts';

/** Statements whose conditions go on with `and`: of sums by `day`, and of the same by `month`. */
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
