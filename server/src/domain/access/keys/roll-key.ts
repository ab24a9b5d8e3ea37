import type { Context } from '../../foundation/context.ts';
import { invalid, refuseWrong } from '../../foundation/errors.ts';
import { sayRefusal } from '../../foundation/refusals.ts';
import { changeKey, getKey, proveForKeys, type WithPassword } from './change-keys.ts';
import { checkGrace, checkKey } from './check-key.ts';
import { issueSecret } from './create-key.ts';
import { type ExpiryDays, type Grace, isActive, type KeyWithSecret } from './key.ts';
import { replaceSecret } from './keys.sql.ts';
import { notifyOfRoll } from './notify-of-key.ts';

export interface RollKey extends WithPassword {
  readonly keyId: string;
  readonly grace: Grace;
  /** Counted from now. */
  readonly expiresInDays: ExpiryDays;
  /**
   * The last four characters of the secret to replace. They stop a repeated request from replacing
   * the new secret too.
   */
  readonly lastFour?: string | undefined;
}

const hourMs = 3_600_000;
const graceMs: Readonly<Record<Grace, number>> = { none: 0, '1h': hourMs, '24h': 24 * hourMs };

/**
 * Gives a key a new secret and expiry; name, scopes and podcasts stay. The old secret works until
 * the grace ends or until it expires, whichever is first. Ends the grace of an earlier roll.
 */
export async function rollKey(ctx: Context, input: RollKey): Promise<KeyWithSecret> {
  const { keyId, grace, expiresInDays } = input;
  refuseWrong('The key was not rolled.', [...checkKey({ expiresInDays }), ...checkGrace(grace)]);
  const owned = await getKey(ctx, keyId);
  const proof = await proveForKeys(ctx, owned.userId, input);
  return changeKey(ctx, owned, proof, async (tx, key, user) => {
    const now = ctx.clock.now();
    if (!isActive(key, now)) throw invalid('key', sayRefusal('key_ended'));
    if (input.lastFour !== undefined && input.lastFour !== key.lastFour) {
      throw invalid('last_four', sayRefusal('rolled_already'), 'rolled_already');
    }
    await replaceSecret(tx.db, key.id, new Date(now.getTime() + graceMs[grace]));
    const { secret } = await issueSecret(tx, { keyId: key.id, createdAt: now, expiresInDays });
    const rolled = await getKey(tx, key.id);
    await notifyOfRoll(tx, rolled, user);
    return { key: rolled, secret };
  });
}
