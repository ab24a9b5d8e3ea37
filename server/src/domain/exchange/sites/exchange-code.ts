import { createHash, timingSafeEqual } from 'node:crypto';
import { tryHashSecretToken } from '../../../lib/secret-token.ts';
import { consumeNewKey, issueSiteKey } from '../../access/keys/index.ts';
import { lockUser } from '../../foundation/accounts/index.ts';
import { type Context, transact } from '../../foundation/context.ts';
import type { Scope } from '../../foundation/enumerations.ts';
import { DomainError, invalid } from '../../foundation/errors.ts';
import { tagPassword } from './approve-connection.ts';
import { type ConnectedSite, connectSite, notifyOfConnection } from './connect-site.ts';
import { requireConnectable } from './connectable-shows.ts';
import { type ApprovedConnection, deleteCode } from './sites.sql.ts';

/** The secrets and facts that a site gets only once. */
export interface ExchangedCode extends ConnectedSite {
  /** The site's key. */
  readonly apiKey: string;
  readonly expiresAt: Date;
  readonly scopes: readonly Scope[];
  /** Oldest first. */
  readonly podcastIds: readonly string[];
}

/**
 * Exchanges a code and its verifier for a site's key. Needs no other credentials. It always uses
 * the code up: also if the verifier is wrong, if a show cannot be connected any more, or if the
 * process ends. One of two concurrent requests succeeds.
 */
export async function exchangeCode(
  ctx: Context,
  { code, codeVerifier }: { readonly code: string; readonly codeVerifier: string },
): Promise<ExchangedCode> {
  const approved = await useUp(ctx, code);
  if (approved === undefined || !isVerified(approved, codeVerifier)) throw invalidCode();
  await consumeNewKey(ctx, approved.userId);
  return withCode(() => transact(ctx, (tx) => connect(tx, approved)));
}

async function connect(tx: Context, approved: ApprovedConnection): Promise<ExchangedCode> {
  const { userId, siteUrl, transcripts } = approved;
  const user = await lockUser(tx, userId);
  if (!tagPassword(user.passwordHash).equals(approved.passwordTag)) throw invalidCode();
  const podcastIds = await requireConnectable(tx, userId, approved.podcastIds);
  const key = await issueSiteKey(tx, { userId, name: siteUrl, podcastIds, transcripts });
  const { siteId, pingSecret } = await connectSite(tx, { ...approved, keyId: key.id });
  const { secret: apiKey, expiresAt, scopes } = key;
  await notifyOfConnection(tx, user, { siteUrl, podcastIds, expiresAt });
  return { siteId, pingSecret, apiKey, expiresAt, scopes, podcastIds };
}

/** Uses up the code of a request that is invalid for another reason. Needs no other credentials. */
export async function voidCode(ctx: Context, code: string): Promise<void> {
  await useUp(ctx, code);
}

async function useUp(ctx: Context, code: string): Promise<ApprovedConnection | undefined> {
  const hash = tryHashSecretToken(code);
  return hash && deleteCode(ctx.db, hash, ctx.clock.now());
}

/** RFC 7636 §4.6, S256. */
function isVerified({ codeChallenge }: ApprovedConnection, codeVerifier: string): boolean {
  const challenge = createHash('sha256').update(codeVerifier).digest('base64url');
  return timingSafeEqual(Buffer.from(challenge), Buffer.from(codeChallenge));
}

/**
 * Reports problems of the approved connection as problems of the code, the only field of the
 * request.
 */
async function withCode<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof DomainError) || error.kind !== 'invalid') throw error;
    throw invalid('code', error.message, error.details[0]?.reason);
  }
}

function invalidCode(): DomainError {
  return invalid(
    'code',
    'This code is unknown, used or expired, or the verifier does not match it.',
  );
}
