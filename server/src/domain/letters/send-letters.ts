import { MailError, type MailFailure } from '../../platform/mailer/mailer.ts';
import type { Context } from '../context.ts';
import {
  type ClaimedLetter,
  claimLetter,
  deleteEndedLetters,
  endLetter,
  postponeLetter,
} from './letters.sql.ts';
import { renderLetter } from './render-letter.ts';

const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;

/** Longer than the mailer takes at most: whoever has not come back by then is dead. */
const holdMs = 5 * minuteMs;
const sendersAtOnce = 4;
const tryForMs = 3 * dayMs;
const keepEndedMs = 90 * dayMs;
/** The pause doubles from a minute on. A server that comes back should not be kept waiting. */
const longestPauseMs = { away: 5 * minuteMs, deferred: 60 * minuteMs } as const;

/**
 * Sends what is due, until nothing is, the mail server is away, or the signal aborts. Any number of
 * processes may do this at a time. A letter is sent once; only when a process dies, or loses the
 * database, after the mail server took a letter and before that is noted, it is sent again.
 */
export async function sendLetters(
  ctx: Context,
  options: { readonly signal?: AbortSignal } = {},
): Promise<void> {
  let isAway = false;
  const sendInTurn = async (): Promise<void> => {
    while (!isAway && options.signal?.aborted !== true) {
      const outcome = await sendNextLetter(ctx);
      if (outcome === 'none') return;
      isAway ||= outcome === 'away';
    }
  };
  await Promise.all(Array.from({ length: sendersAtOnce }, sendInTurn));
}

/** Letters that ended long ago go; the keys of those that had one are free again. */
export async function pruneLetters(ctx: Context): Promise<void> {
  await deleteEndedLetters(ctx.db, new Date(ctx.clock.now().getTime() - keepEndedMs));
}

async function sendNextLetter(ctx: Context): Promise<MailFailure | 'sent' | 'none'> {
  const now = ctx.clock.now();
  const letter = await claimLetter(ctx.db, now, new Date(now.getTime() + holdMs));
  if (letter === undefined) return 'none';
  const { id, template, recipient, values, createdAt } = letter;
  try {
    const words = renderLetter(template, values, ctx.installation.baseUrl);
    await ctx.mailer.send({ id, to: recipient, date: createdAt, ...words });
  } catch (error) {
    return await noteFailure(ctx, letter, error);
  }
  await endLetter(ctx.db, id, 'sent', ctx.clock.now());
  return 'sent';
}

/** Never logs what the server said: that may repeat the address. */
async function noteFailure(
  ctx: Context,
  letter: ClaimedLetter,
  error: unknown,
): Promise<MailFailure> {
  const { id, template, attempts, createdAt } = letter;
  const failure = error instanceof MailError ? error.failure : 'deferred';
  const cause = error instanceof MailError ? { reason: error.reason } : { err: error };
  const fields = { letterId: id, template, attempts, ...cause };
  const now = ctx.clock.now();
  if (failure === 'refused' || now.getTime() - createdAt.getTime() > tryForMs) {
    await endLetter(ctx.db, id, 'given_up', now);
    ctx.log.warn(fields, 'a letter was given up');
    return failure;
  }
  const pauseMs = Math.min(minuteMs * 2 ** (attempts - 1), longestPauseMs[failure]);
  await postponeLetter(ctx.db, letter, new Date(now.getTime() + pauseMs));
  ctx.log.warn(fields, 'a letter was not sent; it is tried again');
  return failure;
}
