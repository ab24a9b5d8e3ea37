import { carriesCredential } from '../../lib/credential.ts';
import type { Context } from '../context.ts';
import { notFound } from '../errors.ts';
import {
  type PublicAudioFile,
  type PublicImage,
  selectPublicAudio,
  selectPublicImage,
} from './files.sql.ts';
import { requireVisible } from './visibility.ts';

/**
 * The audio behind an address of ours, if the world may have it now. Audio that we have no copy of
 * and whose own address is a secret is not there.
 */
export async function getPublicAudio(
  ctx: Context,
  episodeId: string,
  fileName: string,
): Promise<PublicAudioFile> {
  const audio = await selectPublicAudio(ctx.db, episodeId.toLowerCase(), ctx.clock.now());
  if (audio === undefined || !isNameOf(audio, fileName)) throw notFound('audio file');
  requireVisible(audio, 'file', 'audio file');
  const secret = audio.blobKey === null && carriesCredential(audio.sourceUrl ?? '');
  if (secret) throw notFound('audio file');
  return audio;
}

/** A picture that something public shows. */
export async function getPublicImage(ctx: Context, imageId: string): Promise<PublicImage> {
  const image = await selectPublicImage(ctx.db, imageId.toLowerCase(), ctx.clock.now());
  if (image === undefined) throw notFound('image');
  requireVisible(image, 'file', 'image');
  return image;
}

/** Of another extension too: an address published before the audio was replaced stays good. */
function isNameOf(audio: PublicAudioFile, fileName: string): boolean {
  const dot = fileName.lastIndexOf('.');
  return (
    fileName.slice(0, dot) === audio.mediaName && /^\.[a-z0-9]{2,5}$/.test(fileName.slice(dot))
  );
}
