import { findPictureColors } from '../../../server/src/lib/picture-colors.ts';

const sidePx = 64;
const mostColors = 5;

/** The main colors of a picture, the most frequent first. */
export async function readCoverColors(url: string): Promise<string[]> {
  const picture = new Image();
  picture.src = url;
  await picture.decode();
  const drawing = new OffscreenCanvas(sidePx, sidePx).getContext('2d');
  if (drawing === null) return [];
  drawing.drawImage(picture, 0, 0, sidePx, sidePx);
  const { data } = drawing.getImageData(0, 0, sidePx, sidePx);
  const withoutAlpha = Uint8Array.from(data.filter((_, index) => index % 4 < 3));
  return findPictureColors(withoutAlpha, mostColors);
}
