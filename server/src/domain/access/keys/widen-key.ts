import type { Context } from '../../foundation/context.ts';
import type { Scope } from '../../foundation/enumerations.ts';
import { invalid, refuseWrong } from '../../foundation/errors.ts';
import { sayRefusal } from '../../foundation/refusals.ts';
import { changeKey, getKey, namePodcasts, proveForKeys, type WithPassword } from './change-keys.ts';
import { checkKey, sortScopes } from './check-key.ts';
import { isActive, type Key, type KeyPodcasts } from './key.ts';
import { updateKeyAccess } from './keys.sql.ts';
import { notifyOfKey } from './notify-of-key.ts';

export interface WidenKey extends WithPassword {
  readonly keyId: string;
  /** Added to what the key has. */
  readonly scopes?: readonly Scope[] | undefined;
  readonly podcasts?: KeyPodcasts | undefined;
}

/**
 * Lets a key read more, under all its secrets; it loses nothing. Throws if the key was cut off from
 * one of the podcasts. Without anything new it changes nothing and sends no email.
 */
export async function widenKey(ctx: Context, input: WidenKey): Promise<Key> {
  const { keyId, scopes = [], podcasts = [] } = input;
  const details = [
    ...(scopes.length === 0 ? [] : checkKey({ scopes })),
    ...(podcasts.length === 0 ? [] : checkKey({ podcasts })),
  ];
  refuseWrong('The key was not changed.', details);
  const owned = await getKey(ctx, keyId);
  const proof = await proveForKeys(ctx, owned.userId, input);
  return changeKey(ctx, owned, proof, async (tx, key, user) => {
    if (!isActive(key, ctx.clock.now())) throw invalid('key', sayRefusal('key_ended'));
    const widened = await addAccess(tx, key, { scopes, podcasts });
    if (widened) await notifyOfKey(tx, 'key-widened', await getKey(tx, keyId), user);
    return getKey(tx, keyId);
  });
}

/** Returns false if there was nothing to add. */
async function addAccess(
  tx: Context,
  key: Key,
  more: { readonly scopes: readonly Scope[]; readonly podcasts: KeyPodcasts },
): Promise<boolean> {
  const scopes = sortScopes([...key.scopes, ...more.scopes]);
  const allPodcasts = key.podcasts === 'all' || more.podcasts === 'all';
  const podcasts = listNewPodcasts(key, more.podcasts);
  const becomesAll = allPodcasts && key.podcasts !== 'all';
  if (scopes.length === key.scopes.length && podcasts.length === 0 && !becomesAll) return false;
  await updateKeyAccess(tx.db, key.id, { scopes, allPodcasts });
  if (podcasts.length > 0) await namePodcasts(tx, key, podcasts);
  return true;
}

function listNewPodcasts(key: Key, more: KeyPodcasts): readonly string[] {
  if (more === 'all') return [];
  const podcasts = more.map((id) => id.toLowerCase());
  const cutOff = podcasts.filter((id) => key.cutOffFrom.includes(id));
  if (cutOff.length > 0) {
    const message = `This key was permanently cut off from ${cutOff.join(', ')}. Create a new key instead.`;
    throw invalid('podcasts', message, 'cut_off');
  }
  const { podcasts: had } = key;
  if (had === 'all') return [];
  const added = podcasts.filter((id) => !had.includes(id));
  refuseWrong('The key was not changed.', checkKey({ podcasts: [...had, ...added] }));
  return added;
}
