import { type RawBuilder, sql } from 'kysely';
import type { SplitRange } from './whole-months.ts';

/**
 * Statements over sums by `day` and by `month`. They end inside `where`, so a condition is added
 * with `and`.
 */
interface Sums {
  /** `downloads` is the column, or an expression of it. */
  readonly ofDays: (downloads: RawBuilder<unknown>) => RawBuilder<unknown>;
  readonly ofMonths: RawBuilder<unknown>;
}

/** The rows of a range: whole months, the days before and after them, and the excess, negative. */
export function selectSplit(
  { ofDays, ofMonths }: Sums,
  { days, months, excess }: SplitRange,
): RawBuilder<unknown> {
  const count = sql`downloads`;
  const parts = days.map(({ from, to }) => sql`${ofDays(count)} and day between ${from} and ${to}`);
  if (months !== undefined) {
    parts.push(sql`${ofMonths} and month between ${months.from} and ${months.to}`);
  }
  if (excess !== undefined) {
    parts.push(sql`${ofDays(sql`-${count}`)} and day between ${excess.from} and ${excess.to}`);
  }
  return sql.join(parts, sql` union all `);
}
