import { createHmac, randomUUID } from 'node:crypto';
import { hashSecretToken, tryHashSecretToken } from '../../../lib/secret-token.ts';
import { isUuid } from '../../../lib/uuid.ts';
import { isForeignKeyViolation } from '../../../platform/database/sql-errors.ts';
import { previewUrl } from '../../foundation/addresses.ts';
import type { Context } from '../../foundation/context.ts';
import { notFound, requireFound } from '../../foundation/errors.ts';
import { allowsWithEpisode, authorize } from '../../foundation/permissions/index.ts';
import { isBehindCredential } from '../../publishing/episodes/index.ts';
import { findEpisodeForPreview, type PageEpisode, type PublicPodcast } from '../catalogue/index.ts';
import {
  deletePreviewLink,
  type MadeBy,
  type PreviewAudio,
  selectPreviewAudio,
  selectPreviewed,
  selectPreviewImage,
  selectPreviewLink,
  upsertPreviewLink,
} from './previews.sql.ts';

const lifetimeMs = 30 * 86_400_000;

interface PreviewLink {
  readonly url: string;
  readonly expiresAt: Date;
}

/**
 * Creates a link that works for thirty days, while its maker may edit the episode; the previous one
 * stops working.
 */
export async function createPreviewLink(ctx: Context, episodeId: string): Promise<PreviewLink> {
  const { podcastId } = await authorize(ctx, 'episode.edit', { episodeId });
  const now = ctx.clock.now();
  const seed = randomUUID();
  const token = previewToken(ctx, seed);
  const expiresAt = new Date(now.getTime() + lifetimeMs);
  const createdBy = ctx.principal.kind === 'user' ? ctx.principal.userId : null;
  const tokenSha256 = hashPreviewToken(token);
  const row = { seed, tokenSha256, expiresAt, podcastId, createdBy };
  await upsertPreviewLink(ctx.db, episodeId, row, now).catch((error: unknown) => {
    // The episode, or the membership, ended at this moment.
    if (isForeignKeyViolation(error)) throw notFound('episode');
    throw error;
  });
  return { url: previewUrl(ctx.installation, token), expiresAt };
}

/**
 * Finds the present link. Undefined also if the installation's secret has changed since, or its maker may
 * no longer edit the episode.
 */
export async function findPreviewLink(
  ctx: Context,
  episodeId: string,
): Promise<PreviewLink | undefined> {
  await authorize(ctx, 'episode.edit', { episodeId });
  const row = await selectPreviewLink(ctx.db, episodeId, ctx.clock.now());
  if (row === undefined || !mayShow(row)) return undefined;
  const token = previewToken(ctx, row.seed);
  if (hashPreviewToken(token) !== row.tokenSha256) return undefined;
  return { url: previewUrl(ctx.installation, token), expiresAt: row.expiresAt };
}

/** Ends the link, also for somebody who reads the page at this moment. */
export async function revokePreviewLink(ctx: Context, episodeId: string): Promise<void> {
  await authorize(ctx, 'episode.edit', { episodeId });
  await deletePreviewLink(ctx.db, episodeId);
}

/**
 * The token of a link, in the form of `newSecretToken`. It is made from the row's seed, so that
 * members can read the address again, and from the installation's secret, so that the table alone
 * opens no preview.
 */
function previewToken({ installation }: Pick<Context, 'installation'>, seed: string): string {
  const mac = createHmac('sha256', installation.tagKey).update(`preview link ${seed}`);
  return mac.digest('base64url');
}

function hashPreviewToken(token: string): string {
  return hashSecretToken(token).toString('hex');
}

/** Undefined if the text is not a token. */
function tryHashPreviewToken(text: string): string | undefined {
  return tryHashSecretToken(text)?.toString('hex');
}

/**
 * The verbs for a holder of the token. It is looked up by its hash, so that response times reveal
 * nothing about other tokens. All refusals are the same.
 */
function hashOf(token: string): string {
  return requireFound(tryHashPreviewToken(token), 'preview');
}

/**
 * Finds the episode that the token opens. A link that was made with another secret opens nothing: members
 * could not see it, and so not revoke it.
 */
export async function openPreview(
  ctx: Context,
  token: string,
): Promise<{ readonly podcastId: string; readonly episodeId: string }> {
  const found = await selectPreviewed(ctx.db, hashOf(token), ctx.clock.now());
  const { seed, podcastId, episodeId, ...madeBy } = requireFound(found, 'preview');
  if (previewToken(ctx, seed) !== token || !mayShow(madeBy)) throw notFound('preview');
  return { podcastId, episodeId };
}

/** Whether the member who made a link could make it now: their role may have changed, or their credit. */
function mayShow({ maker, isCredited }: MadeBy): boolean {
  return maker === null || allowsWithEpisode(maker, 'episode.edit', { isCredited });
}

/** Reads the episode that `openPreview` found, as the public would see it. */
export async function getPreviewedEpisode(
  ctx: Context,
  show: PublicPodcast,
  episodeId: string,
): Promise<PageEpisode> {
  return requireFound(await findEpisodeForPreview(ctx, show, episodeId), 'preview');
}

/** Finds the audio; not_found if it is only at an address that carries a credential. */
export async function getPreviewAudio(
  ctx: Context,
  token: string,
): Promise<PreviewAudio & { readonly podcastId: string }> {
  const { podcastId } = await openPreview(ctx, token);
  const audio = await selectPreviewAudio(ctx.db, hashOf(token), ctx.clock.now());
  if (audio === undefined) throw notFound('preview');
  const { blobKey, sourceUrl } = audio;
  if (isBehindCredential({ hasCopy: blobKey !== null, sourceUrl })) throw notFound('preview');
  return { ...audio, podcastId };
}

/** Finds a picture that the page of the previewed episode shows. */
export async function getPreviewImage(
  ctx: Context,
  token: string,
  imageId: string,
): Promise<{ readonly sha256: string; readonly podcastId: string }> {
  const hash = hashOf(token);
  if (!isUuid(imageId)) throw notFound('preview');
  const { podcastId } = await openPreview(ctx, token);
  const found = await selectPreviewImage(ctx.db, hash, imageId, ctx.clock.now());
  return { ...requireFound(found, 'preview'), podcastId };
}
