import type { Static } from 'typebox';
import { isActive, type Key, type KeyWithSecret } from '../../domain/keys/index.ts';
import type * as schemas from './schemas/keys.ts';

export type KeyState = 'active' | 'expired' | 'revoked';

export function keyStateOf(key: Pick<Key, 'revokedAt' | 'expiresAt'>, now: Date): KeyState {
  if (isActive(key, now)) return 'active';
  return key.revokedAt === null ? 'expired' : 'revoked';
}

export function presentKey(key: Key, now: Date): Static<typeof schemas.Key> {
  const { podcasts, replaced, lastUse } = key;
  return {
    id: key.id,
    name: key.name,
    state: keyStateOf(key, now),
    scopes: [...key.scopes],
    podcasts: podcasts === 'all' ? 'all' : [...podcasts],
    cut_off_from: [...key.cutOffFrom],
    last_four: key.lastFour,
    created_at: key.createdAt.toISOString(),
    expires_at: key.expiresAt.toISOString(),
    revoked_at: key.revokedAt?.toISOString() ?? null,
    replaced: replaced && {
      last_four: replaced.lastFour,
      works_until: replaced.worksUntil.toISOString(),
    },
    last_use: lastUse && {
      at: lastUse.at.toISOString(),
      country: lastUse.country,
      network: lastUse.network,
    },
  };
}

export function presentKeyWithSecret(
  { key, secret }: KeyWithSecret,
  now: Date,
): Static<typeof schemas.KeyWithSecret> {
  return { key: presentKey(key, now), secret };
}
