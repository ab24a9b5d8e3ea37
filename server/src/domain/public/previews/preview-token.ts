import { createHmac } from 'node:crypto';
import { hashSecretToken, tryHashSecretToken } from '../../../lib/secret-token.ts';
import type { Context } from '../../foundation/context.ts';

/**
 * The token of a link, in the form of `newSecretToken`. It is made from the row's seed, so that
 * members can read the address again, and from the installation's secret, so that the table alone
 * opens no preview.
 */
export function previewToken(
  { installation }: Pick<Context, 'installation'>,
  seed: string,
): string {
  const mac = createHmac('sha256', installation.tagKey).update(`preview link ${seed}`);
  return mac.digest('base64url');
}

export function hashPreviewToken(token: string): string {
  return hashSecretToken(token).toString('hex');
}

/** Undefined if the text is not a token. */
export function tryHashPreviewToken(text: string): string | undefined {
  return tryHashSecretToken(text)?.toString('hex');
}
