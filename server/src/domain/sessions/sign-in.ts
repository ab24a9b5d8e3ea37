import { isEmail } from '../../lib/email-address.ts';
import {
  type Attempt,
  type AttemptLimit,
  findCredentials,
  giveAttemptBack,
  nobodysPasswordHash,
  takeAttempt,
  verifyPassword,
} from '../accounts/index.ts';
import type { Context } from '../context.ts';
import { type DomainError, invalid } from '../errors.ts';
import { createSession, networkTagOf } from './create-session.ts';
import type { Client, SignedIn } from './session.ts';
import { hasSessionFrom } from './sessions.sql.ts';
import { signOut } from './sign-out.ts';

const windowMs = 15 * 60_000;
const perNetwork: AttemptLimit = { name: 'sign in, network', most: 30, windowMs };
const perBoth: AttemptLimit = { name: 'sign in, network and address', most: 10, windowMs };
// Against guesses from everywhere at once. Whoever is signed in from the same network is let past
// it, and a letter's link does without: nobody can keep an owner out by failing in their name.
const perAddress: AttemptLimit = { name: 'sign in, address', most: 100, windowMs };

/**
 * Begins a session, and ends the one the browser had before. An unknown address and a wrong
 * password are one refusal, in the same time.
 */
export async function signIn(
  ctx: Context,
  input: {
    readonly email: string;
    readonly password: string;
    readonly client: Client;
    readonly previousToken?: string | undefined;
  },
): Promise<SignedIn> {
  const { client, password } = input;
  // What is no address is nobody's, and no text to ask the database for.
  const user = isEmail(input.email) ? await findCredentials(ctx, input.email) : undefined;
  const attempts = await takeAttempts(ctx, { userId: user?.id, email: input.email, client });
  const passwordHash = user?.passwordHash ?? (await nobodysPasswordHash());
  const isRight = await verifyPassword(passwordHash, password);
  if (!isRight || user === undefined) throw wrongCredentials();
  const signedIn = await createSession(ctx, { userId: user.id, passwordHash }, client);
  if (signedIn === undefined) throw wrongCredentials();
  for (const attempt of attempts) await giveAttemptBack(ctx, attempt);
  if (input.previousToken !== undefined) await signOut(ctx, input.previousToken);
  return signedIn;
}

/** Refuses before any password is looked at; the same for addresses known and unknown. */
async function takeAttempts(
  ctx: Context,
  { userId, email, client }: { userId: string | undefined; email: string; client: Client },
): Promise<readonly Attempt[]> {
  const address = email.toLowerCase();
  const isKnownPlace = await hasSessionFrom(
    ctx.db,
    userId,
    networkTagOf(ctx, client),
    ctx.clock.now(),
  );
  const attempts: Attempt[] = [
    [perNetwork, client.network],
    [perBoth, client.network, address],
    ...(isKnownPlace ? [] : [[perAddress, address] as const]),
  ];
  // In this order, so that a network at its end fills no buckets of addresses.
  for (const attempt of attempts) await takeAttempt(ctx, attempt);
  return attempts;
}

function wrongCredentials(): DomainError {
  return invalid('password', 'The address or the password is wrong.', 'wrong_credentials');
}
