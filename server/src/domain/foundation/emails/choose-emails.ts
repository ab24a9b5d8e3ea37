import type { Context } from '../context.ts';
import { requireUser } from '../principal.ts';
import { selectUnwanted, upsertUnwanted } from './emails.sql.ts';
import { type OptionalEmail, optionalEmails } from './optional-emails.ts';

/** Lists the optional emails that the user does not want. */
export async function listUnwantedEmails(ctx: Context): Promise<OptionalEmail[]> {
  const unwanted = await selectUnwanted(ctx.db, requireUser(ctx));
  return optionalEmails.filter((template) => unwanted.includes(template));
}

/** From now on: what is queued already is sent. */
export async function setUnwantedEmails(
  ctx: Context,
  unwanted: readonly OptionalEmail[],
): Promise<void> {
  const known = optionalEmails.filter((template) => unwanted.includes(template));
  await upsertUnwanted(ctx.db, requireUser(ctx), known, ctx.clock.now());
}
