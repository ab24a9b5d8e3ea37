import { MailError, type MailFailure } from '../../../platform/mailer/mailer.ts';
import type { Context } from '../context.ts';
import {
  type ClaimedEmail,
  claimEmail,
  deleteEndedEmails,
  endEmail,
  hastenEmails,
  postponeEmail,
} from './emails.sql.ts';
import { renderEmail } from './render-email.ts';

const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;

/** How long a claim lasts without renewal. */
export const leaseMs = 30_000;
const sendersAtOnce = 4;
const tryForMs = 3 * dayMs;
const keepEndedMs = 90 * dayMs;
/**
 * The pause doubles, from a minute up to this. A server that is back should get its emails soon. One that has blocked
 * us counts our attempts, too.
 */
const longestPauseMs = {
  away: 5 * minuteMs,
  deferred: 60 * minuteMs,
  blocked: 6 * 60 * minuteMs,
} as const;
/** Nothing is due later, unless the clock was set back. */
const latestMs = 2 * longestPauseMs.blocked;

/**
 * Sends due emails until there are none, the mail server is down, or the signal aborts. Any number
 * of processes may run this. An email is sent once, unless a process dies or loses the database
 * between delivery and noting it.
 */
export async function sendEmails(
  ctx: Context,
  options: { readonly signal?: AbortSignal; readonly renewLeaseMs?: number } = {},
): Promise<void> {
  const { renewLeaseMs = 8_000 } = options;
  const now = ctx.clock.now();
  await hastenEmails(ctx.db, now, new Date(now.getTime() + latestMs));
  let isAway = false;
  const sendInTurn = async (): Promise<void> => {
    while (!isAway && options.signal?.aborted !== true) {
      const outcome = await sendNextEmail(ctx, renewLeaseMs);
      if (outcome === 'none') return;
      isAway ||= outcome === 'away';
    }
  };
  await Promise.all(Array.from({ length: sendersAtOnce }, sendInTurn));
}

/** Deletes emails that ended long ago; their keys can be used again. */
export async function pruneEmails(ctx: Context): Promise<void> {
  await deleteEndedEmails(ctx.db, new Date(ctx.clock.now().getTime() - keepEndedMs));
}

async function sendNextEmail(
  ctx: Context,
  renewLeaseMs: number,
): Promise<MailFailure | 'sent' | 'none'> {
  const now = ctx.clock.now();
  const email = await claimEmail(ctx.db, now, new Date(now.getTime() + leaseMs));
  if (email === undefined) return 'none';
  const { id, template, recipient, values, language, createdAt } = email;
  try {
    using _held = renewClaim(ctx, email, renewLeaseMs);
    const words = renderEmail(template, values, { site: ctx.installation.baseUrl, language });
    await ctx.mailer.send({ id, to: recipient, date: createdAt, ...words });
  } catch (error) {
    return await noteFailure(ctx, email, error);
  }
  await endEmail(ctx.db, id, 'sent', ctx.clock.now());
  return 'sent';
}

/** Renews the claim, so that another sender takes over only after this process has died. */
function renewClaim(ctx: Context, email: ClaimedEmail, renewLeaseMs: number): Disposable {
  const timer = setInterval(() => {
    const heldUntil = new Date(ctx.clock.now().getTime() + leaseMs);
    postponeEmail(ctx.db, email, heldUntil).catch((error: unknown) => {
      ctx.log.warn({ err: error, emailId: email.id }, 'the claim on an email was not renewed');
    });
  }, renewLeaseMs);
  timer.unref();
  return { [Symbol.dispose]: () => clearInterval(timer) };
}

/** Never logs the server's reply: it may repeat the recipient's address. */
async function noteFailure(
  ctx: Context,
  email: ClaimedEmail,
  error: unknown,
): Promise<MailFailure> {
  const { id, template, attempts, createdAt } = email;
  const failure = error instanceof MailError ? error.failure : 'deferred';
  const cause =
    error instanceof MailError ? { reason: error.reason, advice: error.advice } : { err: error };
  const fields = { emailId: id, template, attempts, ...cause };
  const now = ctx.clock.now();
  if (failure === 'refused' || now.getTime() - createdAt.getTime() > tryForMs) {
    await endEmail(ctx.db, id, 'given_up', now);
    ctx.log.warn(fields, 'an email failed for good');
    return failure;
  }
  const pauseMs = Math.min(minuteMs * 2 ** (attempts - 1), longestPauseMs[failure]);
  await postponeEmail(ctx.db, email, new Date(now.getTime() + pauseMs));
  ctx.log.warn(fields, 'an email was not sent and will be retried');
  return failure;
}
