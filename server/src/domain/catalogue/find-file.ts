import { carriesCredential } from '../../lib/credential.ts';
import type { Context } from '../context.ts';
import { notFound } from '../errors.ts';
import { requireVisible } from '../podcasts/index.ts';
import {
  type PublicAudioFile,
  type PublicImage,
  selectPublicAudio,
  selectPublicImage,
} from './files.sql.ts';

/**
 * Finds the audio behind our address, if it is public now. `fileName` may have another extension
 * than the audio. Throws not_found if we hold no copy and the audio's own address carries a
 * credential.
 */
export async function getPublicAudio(
  ctx: Context,
  episodeId: string,
  fileName: string,
): Promise<PublicAudioFile> {
  const audio = await selectPublicAudio(ctx.db, episodeId.toLowerCase(), ctx.clock.now());
  if (audio === undefined || !isNameOf(audio, fileName)) throw notFound('audio file');
  requireVisible(audio, 'file', 'audio file');
  const secret = audio.copy === null && carriesCredential(audio.sourceUrl ?? '');
  if (secret) throw notFound('audio file');
  return audio;
}

/** Finds a picture that something public shows. */
export async function getPublicImage(ctx: Context, imageId: string): Promise<PublicImage> {
  const image = await selectPublicImage(ctx.db, imageId.toLowerCase(), ctx.clock.now());
  if (image === undefined) throw notFound('image');
  requireVisible(image, 'file', 'image');
  return image;
}

/** Accepts another extension: the address of replaced audio leads to the new audio. */
function isNameOf(audio: PublicAudioFile, fileName: string): boolean {
  const dot = fileName.lastIndexOf('.');
  return (
    fileName.slice(0, dot) === audio.mediaName && /^\.[a-z0-9]{2,5}$/.test(fileName.slice(dot))
  );
}
