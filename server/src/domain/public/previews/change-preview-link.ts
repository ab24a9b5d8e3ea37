import { randomUUID } from 'node:crypto';
import { isForeignKeyViolation } from '../../../platform/database/sql-errors.ts';
import { previewUrl } from '../../foundation/addresses.ts';
import type { Context } from '../../foundation/context.ts';
import { notFound } from '../../foundation/errors.ts';
import { authorize } from '../../foundation/permissions/index.ts';
import { hashPreviewToken, previewToken } from './preview-token.ts';
import { deletePreviewLink, selectPreviewLink, upsertPreviewLink } from './previews.sql.ts';

const lifetimeMs = 30 * 86_400_000;

export interface PreviewLink {
  readonly url: string;
  readonly expiresAt: Date;
}

/** Creates a link that works for thirty days; the previous one stops working. */
export async function createPreviewLink(ctx: Context, episodeId: string): Promise<PreviewLink> {
  await authorize(ctx, 'episode.edit', { episodeId });
  const now = ctx.clock.now();
  const seed = randomUUID();
  const token = previewToken(ctx, seed);
  const expiresAt = new Date(now.getTime() + lifetimeMs);
  const row = { seed, tokenSha256: hashPreviewToken(token), expiresAt };
  await upsertPreviewLink(ctx.db, episodeId, row, now).catch((error: unknown) => {
    if (isForeignKeyViolation(error, 'preview_links_episode_id_fkey')) throw notFound('episode');
    throw error;
  });
  return { url: previewUrl(ctx.installation, token), expiresAt };
}

/** Finds the present link. Undefined also if the installation's secret has changed since. */
export async function findPreviewLink(
  ctx: Context,
  episodeId: string,
): Promise<PreviewLink | undefined> {
  await authorize(ctx, 'episode.edit', { episodeId });
  const row = await selectPreviewLink(ctx.db, episodeId, ctx.clock.now());
  if (row === undefined) return undefined;
  const token = previewToken(ctx, row.seed);
  if (hashPreviewToken(token) !== row.tokenSha256) return undefined;
  return { url: previewUrl(ctx.installation, token), expiresAt: row.expiresAt };
}

/** Ends the link, also for somebody who reads the page at this moment. */
export async function revokePreviewLink(ctx: Context, episodeId: string): Promise<void> {
  await authorize(ctx, 'episode.edit', { episodeId });
  await deletePreviewLink(ctx.db, episodeId);
}
