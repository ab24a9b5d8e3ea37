import {
  changeKeys,
  consumeNewKey,
  describePodcasts,
  issueSiteKey,
  proveForKeys,
  registrationMs,
  type WithPassword,
} from '../../access/keys/index.ts';
import { appUrl } from '../../foundation/addresses.ts';
import type { Context } from '../../foundation/context.ts';
import { queueEmail } from '../../foundation/emails/index.ts';
import { requireSelf } from '../../foundation/principal.ts';
import { requireConnectable } from './connectable-shows.ts';

export interface NewUnregisteredSiteKey extends WithPassword {
  readonly userId: string;
  /** The client may choose it, so that a repeated request makes one key; default: a new id. */
  readonly id?: string | undefined;
  readonly podcastIds: readonly string[];
  readonly transcripts: boolean;
}

/** Returned only here. */
export interface UnregisteredSiteKey {
  readonly id: string;
  readonly secret: string;
  readonly expiresAt: Date;
  /** The key ends at this time if no site has registered it. */
  readonly registerBefore: Date;
}

/**
 * Makes a key for a site that is connected on a command line, and emails its user. Until a site
 * registers it, the key can do nothing else. Refuses shows that the user cannot connect
 * (`podcasts`).
 */
export async function createUnregisteredSiteKey(
  ctx: Context,
  input: NewUnregisteredSiteKey,
): Promise<UnregisteredSiteKey> {
  const { userId, transcripts } = input;
  requireSelf(ctx, userId);
  const proof = await proveForKeys(ctx, userId, input);
  await consumeNewKey(ctx, userId);
  return changeKeys(ctx, userId, proof, async (tx, { name, email }) => {
    const podcastIds = await requireConnectable(tx, userId, input.podcastIds);
    const named = { id: input.id, userId, name: 'Site key', podcastIds, transcripts };
    const { id, secret, expiresAt } = await issueSiteKey(tx, { ...named, forRegistration: true });
    const registerBefore = new Date(tx.clock.now().getTime() + registrationMs);
    const podcasts = await describePodcasts(tx, podcastIds);
    const link = appUrl(tx.installation, 'sites');
    const values = { name, podcasts, registerBefore, link };
    await queueEmail(tx, { template: 'site-key-created', to: email, values });
    return { id, secret, expiresAt, registerBefore };
  });
}
