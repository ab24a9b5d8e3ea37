import { createHmac, timingSafeEqual } from 'node:crypto';
import { isUuid } from '../../../../lib/uuid.ts';
import { appUrl } from '../../../foundation/addresses.ts';
import type { Context } from '../../../foundation/context.ts';

/**
 * The link that members copy. Its token is another one than that of the email, so it does not prove
 * that its reader owns the invited address. It is made from the invitation's id and the
 * installation's secret, so members can read it again.
 */
export function invitationLink(
  { installation }: Pick<Context, 'installation'>,
  id: string,
): string {
  return appUrl(installation, 'invitation', `${id}.${macOf(installation.tagKey, id)}`);
}

/** The id of the invitation that a copied link names; undefined if the token is not ours. */
export function readCopiedToken(
  { installation }: Pick<Context, 'installation'>,
  token: string,
): string | undefined {
  const [id = '', mac = '', ...rest] = token.split('.');
  if (!isUuid(id) || rest.length > 0) return undefined;
  const expected = Buffer.from(macOf(installation.tagKey, id));
  const given = Buffer.from(mac);
  return given.length === expected.length && timingSafeEqual(given, expected) ? id : undefined;
}

function macOf(tagKey: Context['installation']['tagKey'], id: string): string {
  return createHmac('sha256', tagKey).update(`invitation link ${id}`).digest('base64url');
}
