import { isUuid } from '../../lib/uuid.ts';
import {
  findEpisodeForPreview,
  type PublicEpisode,
  type PublicPodcast,
} from '../catalogue/index.ts';
import type { Context } from '../context.ts';
import { isAtSecretAddress } from '../episodes/index.ts';
import { notFound } from '../errors.ts';
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
  const hash = tryHashPreviewToken(token);
  if (hash === undefined) throw notFound('preview');
  return hash;
}

/** Finds the episode that the token opens. */
export async function openPreview(
  ctx: Context,
  token: string,
): Promise<{ readonly podcastId: string; readonly episodeId: string }> {
  const found = await selectPreviewed(ctx.db, hashOf(token), ctx.clock.now());
  if (found === undefined) throw notFound('preview');
  return found;
}

/** Reads the episode that `openPreview` found, as the public would see it. */
export async function getPreviewedEpisode(
  ctx: Context,
  show: PublicPodcast,
  episodeId: string,
): Promise<PublicEpisode> {
  const episode = await findEpisodeForPreview(ctx, show, episodeId);
  if (episode === undefined) throw notFound('preview');
  return episode;
}

/** Finds the audio; not_found if it is only at an address that carries a credential. */
export async function getPreviewAudio(ctx: Context, token: string): Promise<PreviewAudio> {
  const audio = await selectPreviewAudio(ctx.db, hashOf(token), ctx.clock.now());
  if (audio === undefined) throw notFound('preview');
  const { blobKey, sourceUrl } = audio;
  if (isAtSecretAddress({ hasCopy: blobKey !== null, sourceUrl })) throw notFound('preview');
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
  const image = await selectPreviewImage(ctx.db, hash, imageId, ctx.clock.now());
  if (image === undefined) throw notFound('preview');
  return image;
}
