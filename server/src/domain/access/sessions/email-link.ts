import { hashSecretToken, newSecretToken, tryHashSecretToken } from '../../../lib/secret-token.ts';
import { type AttemptLimit, consumeAttempt } from '../../foundation/accounts/index.ts';
import type { Context } from '../../foundation/context.ts';
import { requireLink } from '../../foundation/errors.ts';
import { deleteLink, insertLink, type LinkSubject, selectLink } from './email-links.sql.ts';

export type LinkPurpose = 'sign_up' | 'reset_password' | 'change_email';

const hourMs = 3_600_000;
const lifetimesMs: Readonly<Record<LinkPurpose, number>> = {
  sign_up: 24 * hourMs,
  reset_password: hourMs,
  change_email: 24 * hourMs,
};

/** A link that fails, because the address was taken in the meantime, is not consumed. */
const attemptsWithLink: AttemptLimit = { name: 'link', most: 30, windowMs: hourMs };

/**
 * What opening the link proves: an email address, and the user who wants to change to it. A link for
 * signing up knows where to go afterwards.
 */
export type LinkProof<P extends LinkPurpose> = {
  sign_up: { readonly email: string; readonly returnPath: string | null };
  reset_password: { readonly email: string };
  change_email: { readonly email: string; readonly userId: string };
}[P];

/** A new token, and until when it works. */
export interface IssuedLink {
  readonly token: string;
  readonly expiresAt: Date;
}

/** Creates a token for an email, in the transaction that queues it. Earlier tokens stay valid. */
export async function issueLink<P extends LinkPurpose>(
  tx: Context,
  purpose: P,
  proof: LinkProof<P>,
): Promise<IssuedLink> {
  const token = newSecretToken();
  const createdAt = tx.clock.now();
  const expiresAt = new Date(createdAt.getTime() + lifetimesMs[purpose]);
  await insertLink(tx.db, {
    tokenHash: hashSecretToken(token),
    purpose,
    subject: proof,
    createdAt,
    expiresAt,
  });
  return { token, expiresAt };
}

/** What the token proves; undefined if it is used, expired or invalid. */
export async function findLink<P extends LinkPurpose>(
  ctx: Context,
  purpose: P,
  token: string,
): Promise<LinkProof<P> | undefined> {
  const tokenHash = tryHashSecretToken(token);
  if (tokenHash === undefined) return undefined;
  const now = ctx.clock.now();
  return asProof<P>(await selectLink(ctx.db, { tokenHash, purpose, now }));
}

/**
 * Refuses further attempts with one link. Call it before a password is hashed: only so many can be at
 * once for everybody.
 */
export async function attemptLink(ctx: Context, token: string): Promise<void> {
  await consumeAttempt(ctx, [attemptsWithLink, token]);
}

/** Consumes the token, in the transaction that uses it; one of two concurrent uses is refused. */
export async function consumeLink<P extends LinkPurpose>(
  tx: Context,
  purpose: P,
  token: string,
): Promise<LinkProof<P>> {
  const tokenHash = requireLink(tryHashSecretToken(token));
  const now = tx.clock.now();
  return requireLink(asProof<P>(await deleteLink(tx.db, { tokenHash, purpose, now })));
}

/** A constraint of the table says which columns are set. */
function asProof<P extends LinkPurpose>(subject: LinkSubject | undefined) {
  return subject as LinkProof<P> | undefined;
}
