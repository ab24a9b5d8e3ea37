import { hashApiKey, lastFourOf, makeApiKey } from '../../../lib/api-key.ts';
import { newId } from '../../../lib/uuid.ts';
import { type AttemptLimit, consumeAttempt } from '../../foundation/accounts/index.ts';
import type { Context } from '../../foundation/context.ts';
import { DomainError, invalid, refuseWrong } from '../../foundation/errors.ts';
import { isTrusted, requireSelf } from '../../foundation/principal.ts';
import { sayRefusal } from '../../foundation/refusals.ts';
import {
  changeKeys,
  getKey,
  namePodcasts,
  proveForKeys,
  type WithPassword,
} from './change-keys.ts';
import { checkKey, type KeyFields, sortScopes } from './check-key.ts';
import { type ExpiryDays, type KeyWithSecret, maxActiveKeys } from './key.ts';
import { countActiveKeys, insertKey, insertSecret } from './keys.sql.ts';
import { notifyOfKey } from './notify-of-key.ts';

export interface NewKey extends KeyFields, WithPassword {
  readonly userId: string;
  /** The client may choose it, so that a repeated request makes one key; default: a new id. */
  readonly id?: string | undefined;
}

const dayMs = 86_400_000;
/** Keys of people and of sites together. Each may name a thousand podcasts, and sends an email. */
const newKeysOfUser: AttemptLimit = { name: 'new keys', most: 60, windowMs: 3_600_000 };

/**
 * Makes a key for reading, and emails its user. Only this result holds the secret. A user has at
 * most ten active keys: of two simultaneous requests for the last place, one succeeds.
 */
export async function createKey(ctx: Context, input: NewKey): Promise<KeyWithSecret> {
  const { userId, name, podcasts } = input;
  requireSelf(ctx, userId);
  refuseWrong('The key was not created.', checkKey(input));
  const proof = await proveForKeys(ctx, userId, input);
  await consumeNewKey(ctx, userId);
  return changeKeys(ctx, userId, proof, async (tx, user) => {
    const createdAt = ctx.clock.now();
    const id = input.id?.toLowerCase() ?? newId();
    const isNew = await insertKey(tx.db, {
      id,
      userId,
      kind: 'user',
      name: name.trim(),
      scopes: sortScopes(input.scopes),
      allPodcasts: podcasts === 'all',
      createdAt,
    });
    if (!isNew) throw alreadyExists();
    if ((await countActiveKeys(tx.db, userId, 'user', createdAt)) >= maxActiveKeys) {
      throw new DomainError(
        'invalid',
        `You can have at most ${maxActiveKeys} keys. Revoke one first.`,
      );
    }
    if (podcasts !== 'all') await namePodcasts(tx, { id, userId }, podcasts);
    const { secret } = await issueSecret(tx, {
      keyId: id,
      createdAt,
      expiresInDays: input.expiresInDays,
    });
    const key = await getKey(tx, id);
    await notifyOfKey(tx, 'key-created', key, user);
    return { key, secret };
  });
}

/**
 * Counts a key that is about to be created for a user, before the transaction. Refuses
 * (`rate_limited`) the 61st within an hour, unless the operator creates it (LIM-21).
 */
export async function consumeNewKey(ctx: Context, userId: string): Promise<void> {
  if (!isTrusted(ctx)) await consumeAttempt(ctx, [newKeysOfUser, userId]);
}

/** For a request that is repeated under the id that it has chosen. */
export function alreadyExists(): DomainError {
  return invalid('id', sayRefusal('made_already'), 'made_already');
}

/** Issues a new secret for a key, which expires after `expiresInDays`. */
export async function issueSecret(
  ctx: Context,
  {
    keyId,
    createdAt,
    expiresInDays,
  }: { readonly keyId: string; readonly createdAt: Date; readonly expiresInDays: ExpiryDays },
): Promise<{ readonly secret: string; readonly expiresAt: Date }> {
  const secret = makeApiKey();
  const expiresAt = new Date(createdAt.getTime() + expiresInDays * dayMs);
  await insertSecret(ctx.db, {
    keyId,
    hash: hashApiKey(secret),
    lastFour: lastFourOf(secret),
    createdAt,
    expiresAt,
  });
  return { secret, expiresAt };
}
