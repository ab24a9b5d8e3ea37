import { describeBytes } from '../../../lib/describe-bytes.ts';
import { getPlan, type Plan, planNameOf } from '../accounts/index.ts';
import { type Context, transact } from '../context.ts';
import { DomainError } from '../errors.ts';
import { sayRefusal } from '../refusals.ts';
import {
  type AccountPlan,
  isAccountOf,
  lockPlan,
  type StorageSums,
  selectPlanOfPodcast,
  sumStorage,
  sumStorageOfPodcast,
  sumTexts,
  sumWritten,
  type TextSums,
  type WrittenFiles,
} from './storage.sql.ts';

/** From this share on, an account's storage is nearly used up. */
export const nearShare = 0.9;

/**
 * The texts of an account may have a tenth of the storage that its plan includes, which itself has only
 * audio and pictures. An hour of speech has 30 MB of audio, and some 100 kB of show notes and transcript.
 */
const textShare = 0.1;

/**
 * How many times its storage an account may add within two days: replaced and deleted files are kept for
 * backups, and would otherwise fill the disk. So do uploads that end with their episode.
 */
const writtenShare = 2;

/**
 * What other members may use of that. The rest is left to the owner, whatever they replace again
 * and again.
 */
const writtenShareOfMembers = 1.5;

/** What an account uses of the storage that its plan includes. */
export interface Storage extends StorageSums {
  /** Undefined: no limit. */
  readonly includedBytes: number | undefined;
  /** 90 % or more of it are used. */
  readonly isNear: boolean;
}

export async function readStorage(
  ctx: Context,
  account: { readonly id: string; readonly plan: string },
): Promise<Storage> {
  const sums = await sumStorage(ctx.db, account.id, ctx.clock.now());
  const { storageBytes: includedBytes } = getPlan(account.plan);
  const used = sums.audioBytes + sums.imageBytes;
  const isNear = includedBytes !== undefined && used >= includedBytes * nearShare;
  return { ...sums, includedBytes, isNear };
}

/** Bytes that somebody wants to add, or has just added in the same transaction. */
interface AddedBytes {
  readonly bytes: number;
  readonly areCounted?: boolean;
}

/**
 * Throws if the account of the podcast has no room for them besides what its podcasts and uploads have.
 * In a transaction, the account stays locked until its end.
 */
export async function requireStorage(
  ctx: Context,
  podcastId: string,
  added: AddedBytes,
): Promise<void> {
  const account = await selectPlanOfPodcast(ctx.db, podcastId);
  if (account !== undefined) await requireStorageOfAccount(ctx, account.accountId, added);
}

/** The same for an account. */
export async function requireStorageOfAccount(
  ctx: Context,
  accountId: string,
  { bytes, areCounted = false }: AddedBytes,
): Promise<void> {
  await transact(ctx, async (tx) => {
    const account = await lockPlan(tx.db, accountId);
    const plan = account && getPlan(account.plan);
    if (account === undefined || plan?.storageBytes === undefined) return;
    const before = (await sumUsed(tx, accountId)) - (areCounted ? bytes : 0);
    if (bytes > 0 && before + bytes > plan.storageBytes) throw refuseStorage(plan, before);
    await limitWritten(tx, account, areCounted ? 0 : bytes);
  });
}

/**
 * Throws if the account of the podcast has added so much within two days that it may not add such a file
 * now. For files that are not storage, but stay on the disk like others.
 */
export async function requireWritten(
  ctx: Context,
  podcastId: string,
  bytes: number,
): Promise<void> {
  const account = await selectPlanOfPodcast(ctx.db, podcastId);
  if (account !== undefined) await limitWritten(ctx, account, bytes);
}

/** Throws if the account has added more than it may within two days, with so many further bytes. */
async function limitWritten(ctx: Context, account: AccountPlan, bytes: number): Promise<void> {
  const most = await readMostWritten(ctx, account);
  if (most === undefined) return;
  const written = await sumWritten(ctx.db, account.accountId, most - bytes);
  if (written.secondsLeft !== undefined) throw refuseWritten(account, most, written);
}

/** What the caller may have added to the account within two days; undefined: there is no limit. */
async function readMostWritten(
  { db, principal }: Context,
  { accountId, plan }: AccountPlan,
): Promise<number | undefined> {
  const { storageBytes } = getPlan(plan);
  if (storageBytes === undefined) return undefined;
  const isOther =
    principal.kind === 'user' && !(await isAccountOf(db, accountId, principal.userId));
  return storageBytes * (isOther ? writtenShareOfMembers : writtenShare);
}

function refuseWritten(
  { plan }: AccountPlan,
  most: number,
  { bytes, secondsLeft: retryAfterSeconds = 0 }: WrittenFiles,
) {
  const said = sayRefusal('storage_written', {
    ...{ plan: getPlan(plan).name, included: describeBytes(most) },
    ...{ written: describeBytes(bytes), hours: Math.ceil(retryAfterSeconds / 3600) },
  });
  return new DomainError('plan_upgrade_required', said, {
    details: [{ field: 'size_bytes', ...said, reason: 'storage_written' }],
    retryAfterSeconds,
  });
}

/**
 * Refuses what the caller's transaction has written if it has added to the texts of the podcast, and those of
 * its account are now more than `textShare`. Every verb that stores texts of people calls this afterwards:
 * titles, show notes, bios, chapters, transcripts (LIM-19).
 */
export async function limitTexts(tx: Context, podcastId: string): Promise<void> {
  const sums = await sumTexts(tx.db, podcastId);
  if (
    sums === undefined ||
    sums.grownBytes <= 0 ||
    sums.accountBytes <= nearShare * mostTexts(sums)
  )
    return;
  // Near the limit, of two that write at the same time the second sees what the first has written.
  await lockPlan(tx.db, sums.accountId);
  refuseTexts(await sumTexts(tx.db, podcastId), sums.grownBytes);
}

function mostTexts({ plan }: TextSums): number {
  return textShare * (getPlan(plan).storageBytes ?? Number.POSITIVE_INFINITY);
}

function refuseTexts(sums: TextSums | undefined, addedBytes: number): void {
  if (sums === undefined || addedBytes <= 0) return;
  const most = mostTexts(sums);
  if (sums.accountBytes <= most) return;
  const used = describeBytes(sums.accountBytes - addedBytes);
  const plan = planNameOf(sums.plan);
  const said = sayRefusal('texts_full', { plan, included: describeBytes(most), used });
  throw new DomainError('plan_upgrade_required', said, {
    details: [{ field: '*', ...said, reason: 'texts_full' }],
  });
}

/** The same for all that a podcast has, after it has moved to another account. */
export async function requireStorageOfPodcast(ctx: Context, podcastId: string): Promise<void> {
  const texts = await sumTexts(ctx.db, podcastId);
  refuseTexts(texts, texts?.podcastBytes ?? 0);
  const bytes = await sumStorageOfPodcast(ctx.db, podcastId, ctx.clock.now());
  if (bytes > 0) await requireStorage(ctx, podcastId, { bytes, areCounted: true });
}

/** What the account of a podcast has left. */
interface FreeStorage {
  readonly accountId: string;
  /** At least 0. */
  readonly bytes: number;
  /** For a file that is larger. */
  readonly refusal: DomainError;
}

/** Undefined: there is no limit. */
export async function readFreeStorage(
  ctx: Context,
  podcastId: string,
): Promise<FreeStorage | undefined> {
  const account = await selectPlanOfPodcast(ctx.db, podcastId);
  const plan = account && getPlan(account.plan);
  if (account === undefined || plan?.storageBytes === undefined) return undefined;
  const { accountId } = account;
  const used = await sumUsed(ctx, accountId);
  const bytes = Math.max(0, plan.storageBytes - used);
  const free = { accountId, bytes, refusal: refuseStorage(plan, used) };
  const most = (await readMostWritten(ctx, account)) ?? Number.POSITIVE_INFINITY;
  const written = await sumWritten(ctx.db, accountId, most - bytes);
  if (written.secondsLeft === undefined) return free;
  const refusal = refuseWritten(account, most, written);
  return { accountId, bytes: Math.max(0, most - written.bytes), refusal };
}

async function sumUsed({ db, clock }: Context, accountId: string): Promise<number> {
  const { audioBytes, imageBytes, uploadBytes } = await sumStorage(db, accountId, clock.now());
  return audioBytes + imageBytes + uploadBytes;
}

function refuseStorage({ name: plan, storageBytes = 0 }: Plan, usedBytes: number): DomainError {
  const [included, used] = [describeBytes(storageBytes), describeBytes(usedBytes)];
  const said = sayRefusal('storage_full', { plan, included, used });
  return new DomainError('plan_upgrade_required', said, {
    details: [{ field: 'size_bytes', ...said, reason: 'storage_full' }],
  });
}
