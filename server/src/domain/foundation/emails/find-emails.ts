import type { Installation } from '../context.ts';
import { isLoopback } from '../own-addresses.ts';

/**
 * Where the operator finds emails that are not sent; undefined: they are sent. Visitors from
 * elsewhere do not learn the path of the folder.
 */
export function findEmails({
  baseUrl,
  emailsFolder,
}: Pick<Installation, 'baseUrl' | 'emailsFolder'>): string | undefined {
  return emailsFolder === undefined || isLoopback(baseUrl) ? emailsFolder : 'DATA_DIR/emails';
}
