import type { Context } from '../domain/foundation/context.ts';
import { artworkWarnings, findImage } from '../domain/publishing/images/index.ts';
import { checkCategories, type Podcast } from '../domain/publishing/podcasts/index.ts';
import { type CommandIo, printLine } from './command-io.ts';

// Warnings about artwork that directories may refuse. We accept it.

export async function findArtworkWarnings(ctx: Context, imageId: string | null): Promise<string[]> {
  const image = imageId === null ? undefined : await findImage(ctx, imageId);
  return image === undefined ? [] : artworkWarnings(image);
}

/** Warnings about categories from an import or a seed file, and about invalid combinations. */
export function listCategoryWarnings(podcast: Podcast): string[] {
  return checkCategories(podcast).map(({ field, message }) => `${field}: ${message}`);
}

export function printWarnings(
  io: Pick<CommandIo, 'stderr'>,
  warnings: readonly string[],
  about = 'Warning',
): void {
  for (const warning of warnings) printLine(io, `${about}: ${warning}`);
}
