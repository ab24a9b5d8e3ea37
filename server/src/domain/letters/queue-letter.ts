import { isEmail } from '../../lib/email-address.ts';
import { newId } from '../../lib/uuid.ts';
import type { Context } from '../context.ts';
import type { LetterTemplate, LetterValues } from './letter-templates.ts';
import { insertLetter } from './letters.sql.ts';
import { checkValues } from './render-letter.ts';
import { sendLettersJob } from './send-letters.job.ts';

export interface NewLetter<T extends LetterTemplate> {
  readonly template: T;
  /** One plain address. */
  readonly to: string;
  readonly values: LetterValues<T>;
  /** Names what is to be told only once: a second letter with the same key is dropped. */
  readonly key?: string | undefined;
}

/** In the transaction of what it tells of: the letter goes out when, and only if, that commits. */
export async function queueLetter<T extends LetterTemplate>(
  ctx: Context,
  { template, to, values, key }: NewLetter<T>,
): Promise<void> {
  const problem = isEmail(to) ? checkValues(template, values) : 'its address is none';
  if (problem !== undefined) throw new Error(`the letter ${template} cannot be sent: ${problem}`);
  const createdAt = ctx.clock.now();
  const letter = { id: newId(), key, template, recipient: to, values, createdAt };
  const isNew = await insertLetter(ctx.db, letter);
  if (isNew) await ctx.changes.announceWork(ctx.db, sendLettersJob.name);
}
