import { isUuid } from '../../../lib/uuid.ts';
import type { Context } from '../../foundation/context.ts';
import { notFound, requireFound } from '../../foundation/errors.ts';
import { isBehindCredential } from '../../publishing/episodes/index.ts';
import { findEpisodeForPreview, type PageEpisode, type PublicPodcast } from '../catalogue/index.ts';
import { tryHashPreviewToken } from './preview-token.ts';
import {
  type PreviewAudio,
  selectPreviewAudio,
  selectPreviewed,
  selectPreviewImage,
} from './previews.sql.ts';

/**
 * The verbs for a holder of the token. It is looked up by its hash, so that response times reveal
 * nothing about other tokens. All refusals are the same.
 */
function hashOf(token: string): string {
  return requireFound(tryHashPreviewToken(token), 'preview');
}

/** Finds the episode that the token opens. */
export async function openPreview(
  ctx: Context,
  token: string,
): Promise<{ readonly podcastId: string; readonly episodeId: string }> {
  return requireFound(await selectPreviewed(ctx.db, hashOf(token), ctx.clock.now()), 'preview');
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
export async function getPreviewAudio(ctx: Context, token: string): Promise<PreviewAudio> {
  const audio = await selectPreviewAudio(ctx.db, hashOf(token), ctx.clock.now());
  if (audio === undefined) throw notFound('preview');
  const { blobKey, sourceUrl } = audio;
  if (isBehindCredential({ hasCopy: blobKey !== null, sourceUrl })) throw notFound('preview');
  return audio;
}

/** Finds a picture of the podcast. */
export async function getPreviewImage(
  ctx: Context,
  token: string,
  imageId: string,
): Promise<{ readonly sha256: string }> {
  const hash = hashOf(token);
  if (!isUuid(imageId)) throw notFound('preview');
  return requireFound(await selectPreviewImage(ctx.db, hash, imageId, ctx.clock.now()), 'preview');
}
