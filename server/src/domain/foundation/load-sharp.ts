import type { SharpConstructor } from 'sharp';

let loaded: Promise<SharpConstructor> | undefined;

/** Loads the image library with the first picture, because most processes never need it. */
export function loadSharp(): Promise<SharpConstructor> {
  loaded ??= import('sharp').then(({ default: sharp }) => {
    // Its cache would keep up to 50 MB of pictures that are not used again.
    sharp.cache(false);
    return sharp;
  });
  return loaded;
}
