import type { Context } from '../context.ts';
import { countEmailsByState } from './emails.sql.ts';

export interface EmailCounts {
  readonly waiting: number;
  /** In the last 90 days, like `failed`. */
  readonly sent: number;
  readonly givenUp: number;
}

/** For operators and monitoring. */
export async function countEmails(ctx: Context): Promise<EmailCounts> {
  const counted = await countEmailsByState(ctx.db);
  const of = (state: string) => counted.find((row) => row.state === state)?.count ?? 0;
  return { waiting: of('waiting'), sent: of('sent'), givenUp: of('given_up') };
}
