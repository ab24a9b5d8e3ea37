import { isEmail } from '../../../lib/email-address.ts';
import { newId } from '../../../lib/uuid.ts';
import type { Context } from '../context.ts';
import type { EmailTemplate, EmailValues } from './email-templates.ts';
import { insertEmail } from './emails.sql.ts';
import { isOptional } from './optional-emails.ts';
import { checkValues } from './render-email.ts';
import { sendEmailsJob } from './send-emails.job.ts';

export interface NewEmail<T extends EmailTemplate> {
  readonly template: T;
  /** A single plain address. */
  readonly to: string;
  readonly values: EmailValues<T>;
  /** Deduplicates: a second email with the same key is dropped. */
  readonly key?: string | undefined;
}

/**
 * Call it in the transaction of the event: the email is sent only if that commits. Its language is that
 * of the user with the address, otherwise that of the request. An optional email that its reader does
 * not want is dropped.
 */
export async function queueEmail<T extends EmailTemplate>(
  ctx: Context,
  { template, to, values, key }: NewEmail<T>,
): Promise<void> {
  const problem = isEmail(to)
    ? checkValues(template, values)
    : 'its recipient is not an email address';
  if (problem !== undefined) throw new Error(`the email ${template} cannot be sent: ${problem}`);
  const createdAt = ctx.clock.now();
  const { language = 'en' } = ctx;
  const email = { id: newId(), key, template, recipient: to, values, language, createdAt };
  const isNew = await insertEmail(ctx.db, { ...email, isOptional: isOptional(template) });
  if (isNew) await ctx.announcements.announceWork(ctx.db, sendEmailsJob.name);
}
