import { createHash } from 'node:crypto';
import { hashSecretToken, newSecretToken } from '../../../lib/secret-token.ts';
import { lockUser } from '../../foundation/accounts/index.ts';
import { type Context, transact } from '../../foundation/context.ts';
import { DomainError } from '../../foundation/errors.ts';
import { requireSelf } from '../../foundation/principal.ts';
import { checkAddresses, checkApproval, type GivenAddresses } from './check-connection.ts';
import { enforceSiteLimit, requireConnectable } from './connectable-shows.ts';
import { codeLifetimeMs, maxCodes } from './site.ts';
import { deleteSurplusCodes, insertCode } from './sites.sql.ts';

export interface Approval extends GivenAddresses {
  /** The user who approves it. The operator may name any user. */
  readonly userId: string;
  readonly podcastIds: readonly string[];
  readonly transcripts: boolean;
  /** base64url of the SHA-256 of the plugin's verifier. */
  readonly codeChallenge: string;
}

/**
 * The code that the plugin exchanges for its key: 43 characters of `A-Za-z0-9_-`. It works once.
 */
export interface ConnectionCode {
  readonly code: string;
  readonly expiresAt: Date;
}

/**
 * Lets a site connect to some of the user's shows: with the code, within five minutes. Refuses
 * wrong addresses, shows that the user cannot connect (`podcasts`), and the 51st site (`site_limit`),
 * which the exchange would refuse. A new password voids the code.
 */
export async function approveConnection(ctx: Context, input: Approval): Promise<ConnectionCode> {
  const { userId, transcripts, codeChallenge } = input;
  requireSelf(ctx, userId);
  const { value: addresses } = checkAddresses(input);
  const details = checkApproval(input);
  if (addresses === undefined || details.length > 0) {
    throw new DomainError('invalid', 'The site cannot be connected.', { details });
  }
  const approved = { ...addresses, userId, transcripts, codeChallenge };
  return transact(ctx, async (tx) => {
    const { passwordHash } = await lockUser(tx, userId);
    const podcastIds = await requireConnectable(tx, userId, input.podcastIds);
    await enforceSiteLimit(tx, approved);
    const code = newSecretToken();
    const expiresAt = new Date(tx.clock.now().getTime() + codeLifetimeMs);
    const passwordTag = tagPassword(passwordHash);
    const hash = hashSecretToken(code);
    await insertCode(tx.db, { ...approved, podcastIds, passwordTag, hash, expiresAt });
    await deleteSurplusCodes(tx.db, userId, maxCodes);
    return { code, expiresAt };
  });
}

/** A tag of the user's password hash, so that a code from before a new password is recognized. */
export function tagPassword(passwordHash: string): Buffer {
  return createHash('sha256').update(passwordHash).digest();
}
