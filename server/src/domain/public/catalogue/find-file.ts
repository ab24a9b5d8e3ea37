import type { Context } from '../../foundation/context.ts';
import { notFound, requireFound } from '../../foundation/errors.ts';
import { isBehindCredential } from '../../publishing/episodes/index.ts';
import { requireVisible } from '../../publishing/podcasts/index.ts';
import {
  type PublicAudioFile,
  type PublicImage,
  selectPublicAudio,
  selectShownImage,
} from './files.sql.ts';

/** Finds the audio of an episode that is public now. Whether it may be sent is for `requireSendable`. */
export async function getPublicAudio(ctx: Context, episodeId: string): Promise<PublicAudioFile> {
  return requireFound(await selectPublicAudio(ctx.db, episodeId, ctx.clock.now()), 'audio file');
}

/**
 * Throws unless `audio` may be sent from our address that ends in `fileName`, which may have another
 * extension than the audio: not_found also if we hold no copy and the audio's own address carries a
 * credential. Costs no query.
 */
export function requireSendable(audio: PublicAudioFile, fileName: string): void {
  if (!isNameOf(audio, fileName)) throw notFound('audio file');
  requireVisible(audio, 'file', 'audio file');
  const { copy, sourceUrl } = audio;
  if (isBehindCredential({ hasCopy: copy !== null, sourceUrl })) throw notFound('audio file');
}

/** Finds a picture of any show. Whether it may be sent is for `requireShown`. */
export async function getPublicImage(ctx: Context, imageId: string): Promise<PublicImage> {
  return requireFound(await selectShownImage(ctx.db, imageId, ctx.clock.now()), 'image');
}

/** Throws unless something public shows the picture. Costs no query. */
export function requireShown(image: PublicImage): void {
  if (!image.isShown) throw notFound('image');
  requireVisible(image, 'file', 'image');
}

/** Accepts another extension: the address of replaced audio leads to the new audio. */
function isNameOf(audio: PublicAudioFile, fileName: string): boolean {
  const dot = fileName.lastIndexOf('.');
  return (
    fileName.slice(0, dot) === audio.mediaName && /^\.[a-z0-9]{2,5}$/.test(fileName.slice(dot))
  );
}
