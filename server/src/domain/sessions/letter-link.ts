import { hashSecretToken, newSecretToken, tryHashSecretToken } from '../../lib/secret-token.ts';
import type { Context } from '../context.ts';
import { linkExpired } from '../errors.ts';
import { deleteLink, insertLink, type LinkSubject, selectLink } from './letter-links.sql.ts';

export type LinkPurpose = 'sign_up' | 'reset_password' | 'change_email';

const hourMs = 3_600_000;
const lifetimesMs: Readonly<Record<LinkPurpose, number>> = {
  sign_up: 24 * hourMs,
  reset_password: hourMs,
  change_email: 24 * hourMs,
};

/** What opening the letter proves: an address, and whose it is to become where that was asked for. */
export type LinkProof<P extends LinkPurpose> = P extends 'change_email'
  ? { readonly email: string; readonly userId: string }
  : { readonly email: string };

/** A token for a letter, in the transaction that queues it. Earlier ones stay good. */
export async function issueLink<P extends LinkPurpose>(
  tx: Context,
  purpose: P,
  proof: LinkProof<P>,
): Promise<string> {
  const token = newSecretToken();
  const createdAt = tx.clock.now();
  await insertLink(tx.db, {
    tokenHash: hashSecretToken(token),
    purpose,
    subject: proof,
    createdAt,
    expiresAt: new Date(createdAt.getTime() + lifetimesMs[purpose]),
  });
  return token;
}

/** What the token proves, while it does; undefined when it is used, too old, or none. */
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

/** Uses the token up, in the transaction of what it is used for; of two at once one is refused. */
export async function takeLink<P extends LinkPurpose>(
  tx: Context,
  purpose: P,
  token: string,
): Promise<LinkProof<P>> {
  const tokenHash = tryHashSecretToken(token);
  if (tokenHash === undefined) throw linkExpired();
  const now = tx.clock.now();
  const proof = asProof<P>(await deleteLink(tx.db, { tokenHash, purpose, now }));
  if (proof === undefined) throw linkExpired();
  return proof;
}

/** Which columns hold something is a constraint of the table. */
function asProof<P extends LinkPurpose>(subject: LinkSubject | undefined) {
  return subject as LinkProof<P> | undefined;
}
