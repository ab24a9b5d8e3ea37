import { timingSafeEqual } from 'node:crypto';
import { hashApiKey } from '../../../lib/api-key.ts';
import type { Context } from '../../foundation/context.ts';
import type { KeyPrincipal } from '../../foundation/principal.ts';
import type { Resource } from '../../foundation/relation.ts';
import { selectKeyPrincipal } from './key-principals.sql.ts';

/**
 * Finds the key with this secret, and its relation to the resource. Every request runs this one
 * statement, so a revoked right is gone with the next request. Undefined for a key that is unknown,
 * revoked or expired.
 */
export async function findKeyPrincipal(
  ctx: Context,
  secret: string,
  resource?: Resource,
): Promise<KeyPrincipal | undefined> {
  const hash = hashApiKey(secret);
  const found = await selectKeyPrincipal(ctx.db, hash, resource, ctx.clock.now());
  return found !== undefined && timingSafeEqual(found.hash, hash) ? found.principal : undefined;
}
