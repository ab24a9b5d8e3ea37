import type { SharpConstructor } from 'sharp';

export type SharpModule = SharpConstructor;

let loaded: Promise<SharpModule> | undefined;

/** Loads the image library with the first picture: most processes never see one. */
export function loadSharp(): Promise<SharpModule> {
  loaded ??= import('sharp').then(({ default: sharp }) => {
    // It would keep up to 50 MB of pictures that nobody asks for again.
    sharp.cache(false);
    return sharp;
  });
  return loaded;
}
