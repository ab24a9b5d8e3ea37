import { imageUrl } from '../../../foundation/addresses.ts';
import type { Context } from '../../../foundation/context.ts';
import { findImage } from '../../../publishing/images/index.ts';

// The parts of a show that are files, as a report names them.

/** A URL without its query, which may be a token. */
export function describeAddress(address: string): string {
  const url = URL.parse(address);
  return url === null ? 'an address' : `${url.origin}${url.pathname}`;
}

export async function describePicture(
  ctx: Context,
  imageId: string | null | undefined,
): Promise<string | null> {
  const image = imageId == null ? undefined : await findImage(ctx, imageId);
  return image === undefined ? null : imageUrl(ctx.installation, image);
}

export function describeOwnTranscript(
  transcript: { readonly language: string } | undefined,
): string | null {
  return transcript === undefined ? null : `${transcript.language}, set here`;
}

export function describeSourceTranscript(language: string, address: string): string {
  return `${language}, ${describeAddress(address)}`;
}

export function describeOwnChapters({ length }: readonly unknown[]): string | null {
  return length === 0 ? null : `${countChapters(length)}, set here`;
}

export function describeInlineChapters({ length }: readonly unknown[]): string {
  return `${countChapters(length)}, in the feed`;
}

function countChapters(count: number): string {
  return count === 1 ? '1 chapter' : `${count} chapters`;
}
