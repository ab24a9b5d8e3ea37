import { siteOfNetwork } from '../../../lib/client-network.ts';
import { isEmail } from '../../../lib/email-address.ts';
import { tryHashSecretToken } from '../../../lib/secret-token.ts';
import {
  type AttemptLimit,
  consumeAttempt,
  consumeNetworkAttempt,
  findCredentials,
  nobodysPasswordHash,
  tryAttempt,
  verifyPassword,
} from '../../foundation/accounts/index.ts';
import type { Context } from '../../foundation/context.ts';
import { type DomainError, invalid } from '../../foundation/errors.ts';
import { sayRefusal } from '../../foundation/refusals.ts';
import { isDeviceOf } from './known-device.ts';
import { createSession, networkTagOf } from './own-sessions.ts';
import { type Client, hashingClientOf, type SignedIn } from './session.ts';
import { deleteSessionByToken, hasSessionFrom } from './sessions.sql.ts';

const windowMs = 15 * 60_000;
const perNetwork: AttemptLimit = { name: 'sign in, network', most: 30, windowMs };
// By site, so that no /48 uses up an address's own limit.
const perBoth: AttemptLimit = { name: 'sign in, network and address', most: 10, windowMs };
// Against distributed guessing. A user with a session from the same network, or with a link from an
// email, passes it, so an attacker cannot lock a user out.
const perAddress: AttemptLimit = { name: 'sign in, address', most: 100, windowMs };
// Before all these, for a browser in which the user has signed in. Whoever has used up those of an old cookie must not
// lock out the others, so the usual limits apply then.
const perDevice: AttemptLimit = { name: 'sign in, known device', most: 10, windowMs };
const perDevices: AttemptLimit = { name: 'sign in, known devices', most: 30, windowMs };

/**
 * Starts a session and ends the browser's previous one. An unknown address and a wrong password get
 * the same refusal in the same time. Correct passwords count as attempts too, because they cost as
 * much.
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
  // An invalid address belongs to nobody; the database is not asked.
  const user = isEmail(input.email) ? await findCredentials(ctx, input.email) : undefined;
  const isKnown = await consumeAttempts(ctx, { userId: user?.id, email: input.email, client });
  const passwordHash = user?.passwordHash ?? (await nobodysPasswordHash());
  const hashingClient = isKnown && user ? { userId: user.id } : hashingClientOf(client);
  const isRight = await verifyPassword(passwordHash, password, hashingClient, ctx.abandoned);
  if (!isRight || user === undefined) throw wrongCredentials();
  const signedIn = await createSession(ctx, { userId: user.id, passwordHash }, client);
  if (signedIn === undefined) throw wrongCredentials();
  if (input.previousToken !== undefined) await signOut(ctx, input.previousToken);
  return signedIn;
}

/**
 * Refuses before verifying any password; the same for known and unknown addresses. Resolves to whether the user
 * has signed in with this browser, or has a session from this network.
 */
async function consumeAttempts(
  ctx: Context,
  { userId, email, client }: { userId: string | undefined; email: string; client: Client },
): Promise<boolean> {
  const { deviceToken = '' } = client;
  const isKnownDevice =
    userId !== undefined &&
    isDeviceOf(ctx, userId, deviceToken) &&
    (await tryAttempt(ctx, [perDevice, deviceToken])) &&
    (await tryAttempt(ctx, [perDevices, userId]));
  if (isKnownDevice) return true;
  const address = email.toLowerCase();
  const isKnownPlace = await hasSessionFrom(
    ctx.db,
    userId,
    networkTagOf(ctx, client),
    ctx.clock.now(),
  );
  // In this order, so that a blocked network does not use up the limits of addresses.
  await consumeNetworkAttempt(ctx, perNetwork, client.network);
  await consumeAttempt(ctx, [perBoth, siteOfNetwork(client.network), address]);
  if (!isKnownPlace) await consumeAttempt(ctx, [perAddress, address]);
  return isKnownPlace;
}

function wrongCredentials(): DomainError {
  return invalid('password', sayRefusal('wrong_credentials'), 'wrong_credentials');
}

/** Ends the session of this token; without effect if there is none. */
export async function signOut(ctx: Context, token: string): Promise<void> {
  const tokenHash = tryHashSecretToken(token);
  if (tokenHash !== undefined) await deleteSessionByToken(ctx.db, tokenHash);
}
