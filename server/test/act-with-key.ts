import { findKeyPrincipal } from '../src/domain/access/keys/index.ts';
import type { Context } from '../src/domain/foundation/context.ts';
import type { Resource } from '../src/domain/foundation/relation.ts';

/** The context of a request that comes with this key and names this resource. */
export async function actWithKey(
  ctx: Context,
  secret: string,
  resource?: Resource,
): Promise<Context> {
  const principal = await findKeyPrincipal(ctx, secret, resource);
  if (principal === undefined) throw new Error('this key is not good');
  return { ...ctx, principal };
}
