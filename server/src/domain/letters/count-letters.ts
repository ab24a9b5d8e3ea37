import type { Context } from '../context.ts';
import { countLettersByState } from './letters.sql.ts';

export interface LetterCounts {
  readonly waiting: number;
  /** Of the last 90 days, as are those given up. */
  readonly sent: number;
  readonly givenUp: number;
}

/** For those who watch over the installation. */
export async function countLetters(ctx: Context): Promise<LetterCounts> {
  const counted = await countLettersByState(ctx.db);
  const of = (state: string) => counted.find((row) => row.state === state)?.count ?? 0;
  return { waiting: of('waiting'), sent: of('sent'), givenUp: of('given_up') };
}
