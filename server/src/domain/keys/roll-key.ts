import type { Context } from '../context.ts';
import { DomainError, invalid } from '../errors.ts';
import { changeKey, getKey, proveForKeys, type WithPassword } from './change-keys.ts';
import { checkGrace, checkKey } from './check-key.ts';
import { issueSecret } from './create-key.ts';
import { type ExpiryDays, type Grace, isActive, type KeyWithSecret } from './key.ts';
import { replaceSecret } from './secrets.sql.ts';
import { tellOfRoll } from './tell-of-key.ts';

export interface RollKey extends WithPassword {
  readonly keyId: string;
  readonly grace: Grace;
  /** From now on. */
  readonly expiresInDays: ExpiryDays;
  /** Of the secret to be replaced, where a request sent twice must not replace the next one too. */
  readonly lastFour?: string | undefined;
}

const hourMs = 3_600_000;
const graceMs: Readonly<Record<Grace, number>> = { none: 0, '1h': hourMs, '24h': 24 * hourMs };

/**
 * Gives a key a new secret and expiry; name, scopes and podcasts stay. The old secret works on for
 * the grace, but never beyond its own expiry, and what was left of an earlier grace ends.
 */
export async function rollKey(ctx: Context, input: RollKey): Promise<KeyWithSecret> {
  const { keyId, grace, expiresInDays } = input;
  const details = [...checkKey({ expiresInDays }), ...checkGrace(grace)];
  if (details.length > 0) {
    throw new DomainError('invalid', 'The key cannot be rolled so.', { details });
  }
  const owned = await getKey(ctx, keyId);
  const proof = await proveForKeys(ctx, owned.userId, input);
  return changeKey(ctx, owned, proof, async (tx, key, user) => {
    const now = ctx.clock.now();
    if (!isActive(key, now)) throw invalid('key', 'This key has ended. Make a new one.');
    if (input.lastFour !== undefined && input.lastFour !== key.lastFour) {
      throw invalid('last_four', 'This key was rolled meanwhile.', 'rolled_already');
    }
    await replaceSecret(tx.db, key.id, new Date(now.getTime() + graceMs[grace]));
    const secret = await issueSecret(tx, { keyId: key.id, createdAt: now, expiresInDays });
    const rolled = await getKey(tx, key.id);
    await tellOfRoll(tx, rolled, user);
    return { key: rolled, secret };
  });
}
