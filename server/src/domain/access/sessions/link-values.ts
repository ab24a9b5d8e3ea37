import { formatUntil } from '../../../lib/time.ts';
import { appUrl } from '../../foundation/addresses.ts';
import type { Context } from '../../foundation/context.ts';
import type { IssuedLink } from './email-link.ts';

/** What an email says of its link: the address, and until when it works. */
export interface LinkValues {
  readonly link: string;
  /** In words: 'until …'. */
  readonly until: string;
}

/** The values of an email with a link to this page. */
export function linkValues(
  { installation }: Context,
  page: 'confirmEmail' | 'confirmSignUp' | 'resetPassword',
  { token, expiresAt }: IssuedLink,
): LinkValues {
  return { link: appUrl(installation, page, token), until: formatUntil(expiresAt) };
}
