import type { Context } from '../../foundation/context.ts';
import { notFound } from '../../foundation/errors.ts';
import { requireScope, type SiteAction } from '../../foundation/permissions/index.ts';
import type { KeyPrincipal, SiteOfKey } from '../../foundation/principal.ts';

export interface OwnSite extends Pick<KeyPrincipal, 'userId'> {
  readonly site: SiteOfKey;
  readonly keyId: string;
}

/**
 * Every verb of a connected site begins with this. Returns the site whose key acts. Throws
 * `insufficient_scope` for a person's key, and `not_found` for any other site.
 */
export function requireOwnSite(ctx: Context, action: SiteAction, siteId: string): OwnSite {
  const { site, userId, key } = requireScope(ctx, action);
  if (site === undefined || site.id !== siteId.toLowerCase()) throw notFound('site');
  return { site, userId, keyId: key.id };
}
