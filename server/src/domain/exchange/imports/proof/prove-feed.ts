import { randomInt, timingSafeEqual } from 'node:crypto';
import { containsWebAddress, isDisplayName } from '../../../../lib/display-name.ts';
import { mailboxOf } from '../../../../lib/email-address.ts';
import { newId } from '../../../../lib/uuid.ts';
import { consumeAttempt, tagOf } from '../../../foundation/accounts/index.ts';
import { type Context, transact } from '../../../foundation/context.ts';
import { queueEmail } from '../../../foundation/emails/index.ts';
import { notFound } from '../../../foundation/errors.ts';
import { mayActFor } from '../../../foundation/principal.ts';
import { type GivenOwner, requireOwn } from '../import-feed.ts';
import { importLimits } from '../import-limits.ts';
import { isFeedOwner, lockOwnerOf, tagFeed } from '../read/check-lock.ts';
import { fetchChannel } from '../read/fetch-feed.ts';
import { refuseImport } from '../refuse-import.ts';
import { countTry, proveFeed, selectProofOwner, upsertFeedProof } from './feed-proofs.sql.ts';

const codeMs = 30 * 60_000;
const mostTries = 5;
const codesPerUser = { name: 'feed-codes-user', most: 10, windowMs: 24 * 3_600_000 };
// Feeds can name any address, so this limits the emails to one address for all feeds together.
const codesPerAddress = { name: 'feed-codes-address', most: 3, windowMs: 3_600_000 };
const fetchTimeoutMs = 20_000;

export interface SentCode {
  readonly id: string;
  /** Enough to recognize one's own address. */
  readonly sentTo: string;
  readonly expiresAt: Date;
}

/**
 * Sends a code to the owner's address of a locked feed. It is valid for 30 minutes and five
 * attempts; a new code replaces it.
 */
export async function sendFeedCode(
  ctx: Context,
  input: { readonly url: string; readonly owner: GivenOwner },
): Promise<SentCode> {
  const owner = await requireOwn(ctx, input.owner);
  await consumeAttempt(ctx, [codesPerUser, owner.id]);
  const { feedUrl, email, title } = await readOwner(ctx, input.url, owner.id);
  // A new code would replace the proof.
  if (await isFeedOwner(ctx, owner.id, { url: feedUrl, email })) {
    const message = 'You have already proved that this feed is yours. Import it.';
    throw refuseImport('already_proved', message, { field: 'url' });
  }
  await consumeAttempt(ctx, [codesPerAddress, mailboxOf(email)]);
  const id = newId();
  const code = String(randomInt(100_000_000)).padStart(8, '0');
  const createdAt = ctx.clock.now();
  const expiresAt = new Date(createdAt.getTime() + codeMs);
  await transact(ctx, async (tx) => {
    const feedTag = tagFeed(tx, feedUrl, email);
    const codeHash = hashCode(tx, id, code);
    await upsertFeedProof(tx.db, { id, userId: owner.id, feedTag, codeHash, expiresAt, createdAt });
    const podcast = isDisplayName(title, 100) && !containsWebAddress(title) ? title : null;
    const shown = `${code.slice(0, 4)} ${code.slice(4)}`;
    await queueEmail(tx, { template: 'feed-code', to: email, values: { podcast, code: shown } });
  });
  return { id, sentTo: mask(email), expiresAt };
}

/** From now on the user may import the feed, while it names the same owner. */
export async function confirmFeedCode(
  ctx: Context,
  { id, code }: { readonly id: string; readonly code: string },
): Promise<void> {
  const userId = await selectProofOwner(ctx.db, id);
  if (userId === undefined || !mayActFor(ctx, userId)) throw notFound('code');
  const now = ctx.clock.now();
  const found = await countTry(ctx.db, id, mostTries, now);
  if (found === undefined) throw codeExpired();
  // Copied from an email, it may have invisible characters around it.
  const given = hashCode(ctx, id, code.replace(/[\s\p{Cf}-]/gu, ''));
  if (!timingSafeEqual(given, found.codeHash)) {
    throw refuseImport('code_wrong', 'The code is wrong.', { field: 'code' });
  }
  if (!(await proveFeed(ctx.db, id, found.codeHash, now))) throw codeExpired();
}

function codeExpired(): Error {
  const message =
    'This code has been used, has expired, or was tried too often. Request a new one.';
  return refuseImport('code_expired', message, { field: 'code' });
}

async function readOwner(ctx: Context, url: string, ownerId: string) {
  const limits = { ...importLimits, feedTimeoutMs: fetchTimeoutMs, feedPages: 1 };
  const lock = { ignore: true, ownerId };
  const feed = await fetchChannel(ctx, url, { limits, lock });
  const { channel } = feed;
  if (channel.locked?.locked !== true) {
    throw refuseImport('feed_not_locked', 'The feed is not locked. Import it.', { field: 'url' });
  }
  const email = lockOwnerOf(channel);
  if (email === undefined) {
    const message = 'The feed has no email address to send a code to.';
    throw refuseImport('owner_unknown', message, { field: 'url' });
  }
  return { feedUrl: feed.url ?? url, email, title: channel.title ?? '' };
}

function hashCode(ctx: Context, id: string, code: string): Buffer {
  return tagOf(ctx, 'feed-code', id, code);
}

/** `a…@example.com` */
function mask(email: string): string {
  const at = email.lastIndexOf('@');
  return `${email.slice(0, 1)}…${email.slice(at)}`;
}
