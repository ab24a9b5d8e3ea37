import { isEmail, mailboxOf } from '../../../lib/email-address.ts';
import {
  type AttemptLimit,
  consumeAttempt,
  consumeNetworkAttempt,
  findUserByEmail,
  type User,
} from '../../foundation/accounts/index.ts';
import { appUrl } from '../../foundation/addresses.ts';
import { type Context, transact } from '../../foundation/context.ts';
import { queueEmail } from '../../foundation/emails/index.ts';
import { invalid } from '../../foundation/errors.ts';
import { sayRefusal } from '../../foundation/refusals.ts';
import { requireSignUp } from './confirm-sign-up.ts';
import { type IssuedLink, issueLink } from './email-link.ts';
import type { Client } from './session.ts';

const hourMs = 3_600_000;
// Attempts are counted under these names, also across an upgrade.
const perNetwork: AttemptLimit = { name: 'letters, network', most: 100, windowMs: hourMs };
const perAddress: AttemptLimit = { name: 'letters, address', most: 5, windowMs: hourMs };
// Each of these emails has a link for whoever owns the address, but not one that confirms a user's new address. So
// those have a limit that strangers without an account can't use up.
const perNewAddress: AttemptLimit = { name: 'new address', most: 5, windowMs: hourMs };
const perNewAddressOfAll: AttemptLimit = { name: 'new address of all', most: 20, windowMs: hourMs };

interface EmailRequest {
  readonly email: string;
  readonly client: Client;
}

interface SignUpRequest extends EmailRequest {
  /** The path of ours to which a new account gets, at most 8192 characters. */
  readonly returnPath?: string | undefined;
}

/**
 * Sends an email with a link to sign up, or one that says that the account exists. The response and
 * the work are the same in both cases, so that nobody learns which addresses have accounts.
 */
export async function signUp(ctx: Context, request: SignUpRequest): Promise<void> {
  requireSignUp(ctx);
  await checkEmailRequest(ctx, request);
  await transact(ctx, async (tx) => {
    const user = await findUserByEmail(tx, request.email);
    if (user !== undefined) return sendAddressKnown(tx, user);
    const values = await issueSignUp(tx, request);
    return queueEmail(tx, { template: 'confirm-email', to: request.email, values });
  });
}

/**
 * Sends an email with a link to reset the password, or one that says that there is no account;
 * reveals as little as `signUp`.
 */
export async function requestPasswordReset(ctx: Context, request: EmailRequest): Promise<void> {
  await checkEmailRequest(ctx, request);
  await transact(ctx, async (tx) => {
    const user = await findUserByEmail(tx, request.email);
    if (user === undefined) {
      if (!tx.installation.signUp) {
        const to = request.email;
        return queueEmail(tx, { template: 'address-unknown-closed', to, values: {} });
      }
      const values = await issueSignUp(tx, request);
      return queueEmail(tx, { template: 'address-unknown', to: request.email, values });
    }
    const values = { name: user.name, ...(await issueReset(tx, user)) };
    return queueEmail(tx, { template: 'reset-password', to: user.email, values });
  });
}

/** Refuses invalid addresses and too many emails. `userId`: who is signed in and wants to have this address. */
export async function checkEmailRequest(
  ctx: Context,
  { email, client }: EmailRequest,
  userId?: string,
): Promise<void> {
  if (!isEmail(email)) throw invalid('email', sayRefusal('not_email'));
  await consumeNetworkAttempt(ctx, perNetwork, client.network);
  const address = mailboxOf(email);
  if (userId === undefined) return consumeAttempt(ctx, [perAddress, address]);
  await consumeAttempt(ctx, [perNewAddress, userId, address]);
  await consumeAttempt(ctx, [perNewAddressOfAll, address]);
}

export async function sendAddressKnown(tx: Context, user: User): Promise<void> {
  const linkSignIn = appUrl(tx.installation, 'signIn');
  const { link: linkReset, until } = await issueReset(tx, user);
  const values = { linkSignIn, linkReset, until };
  await queueEmail(tx, { template: 'address-known', to: user.email, values });
}

async function issueSignUp(
  tx: Context,
  { email, returnPath }: Pick<SignUpRequest, 'email' | 'returnPath'>,
): Promise<LinkValues> {
  const proof = { email, returnPath: returnPath ?? null };
  return linkValues(tx, 'confirmSignUp', await issueLink(tx, 'sign_up', proof));
}

async function issueReset(tx: Context, { email }: User): Promise<LinkValues> {
  return linkValues(tx, 'resetPassword', await issueLink(tx, 'reset_password', { email }));
}

/** What an email says of its link: the address, and until when it works. */
interface LinkValues {
  readonly link: string;
  readonly until: Date;
}

/** The values of an email with a link to this page. */
export function linkValues(
  { installation }: Context,
  page: 'confirmEmail' | 'confirmSignUp' | 'resetPassword',
  { token, expiresAt }: IssuedLink,
): LinkValues {
  return { link: appUrl(installation, page, token), until: expiresAt };
}
