import { isEmail } from '../../lib/email-address.ts';
import { type AttemptLimit, findUserByEmail, takeAttempt, type User } from '../accounts/index.ts';
import { appUrl } from '../addresses.ts';
import { type Context, transact } from '../context.ts';
import { invalid } from '../errors.ts';
import { queueLetter } from '../letters/index.ts';
import { requireSignUp } from './confirm-sign-up.ts';
import { issueLink } from './letter-link.ts';
import type { Client } from './session.ts';

const hourMs = 3_600_000;
const perNetwork: AttemptLimit = { name: 'letters, network', most: 100, windowMs: hourMs };
const perAddress: AttemptLimit = { name: 'letters, address', most: 5, windowMs: hourMs };

interface LetterRequest {
  readonly email: string;
  readonly client: Client;
}

/**
 * Sends a letter that leads to an account, or says that there is one. Whoever asks learns neither:
 * the answer is the same, and so is the work, one link and one letter.
 */
export async function signUp(ctx: Context, request: LetterRequest): Promise<void> {
  requireSignUp(ctx);
  await checkLetterRequest(ctx, request);
  await transact(ctx, async (tx) => {
    const user = await findUserByEmail(tx, request.email);
    if (user !== undefined) return sendAddressKnown(tx, user);
    const link = await signUpUrl(tx, request.email);
    return queueLetter(tx, { template: 'confirm-email', to: request.email, values: { link } });
  });
}

/** Sends a letter that leads to a new password, or says that there is no account; as `signUp`. */
export async function requestPasswordReset(ctx: Context, request: LetterRequest): Promise<void> {
  await checkLetterRequest(ctx, request);
  await transact(ctx, async (tx) => {
    const user = await findUserByEmail(tx, request.email);
    if (user === undefined) {
      if (!tx.installation.signUp) {
        const to = request.email;
        return queueLetter(tx, { template: 'address-unknown-closed', to, values: {} });
      }
      const link = await signUpUrl(tx, request.email);
      return queueLetter(tx, { template: 'address-unknown', to: request.email, values: { link } });
    }
    const values = { name: user.name, link: await resetUrl(tx, user) };
    return queueLetter(tx, { template: 'reset-password', to: user.email, values });
  });
}

/** Refuses what is no address, and more letters than anyone needs. */
export async function checkLetterRequest(
  ctx: Context,
  { email, client }: LetterRequest,
): Promise<void> {
  if (!isEmail(email)) throw invalid('email', 'This is not an e-mail address.');
  await takeAttempt(ctx, [perNetwork, client.network]);
  await takeAttempt(ctx, [perAddress, email.toLowerCase()]);
}

export async function sendAddressKnown(tx: Context, user: User): Promise<void> {
  const linkSignIn = appUrl(tx.installation, 'signIn');
  const values = { linkSignIn, linkReset: await resetUrl(tx, user) };
  await queueLetter(tx, { template: 'address-known', to: user.email, values });
}

async function signUpUrl(tx: Context, email: string): Promise<string> {
  return appUrl(tx.installation, 'confirmSignUp', await issueLink(tx, 'sign_up', { email }));
}

async function resetUrl(tx: Context, { email }: User): Promise<string> {
  const token = await issueLink(tx, 'reset_password', { email });
  return appUrl(tx.installation, 'resetPassword', token);
}
