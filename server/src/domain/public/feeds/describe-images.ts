import { imageUrl } from '../../foundation/addresses.ts';
import type { Installation } from '../../foundation/context.ts';
import { type ImageBoxPx, variantSize } from '../../publishing/images/index.ts';
import type { ExtraElement } from '../../publishing/podcasts/index.ts';
import type { ImageRef } from '../catalogue/index.ts';
import type { FeedImage } from './feed.ts';

/** Feeds have thousands of items, so an item has one smaller copy. */
export const itemBoxesPx: readonly ImageBoxPx[] = [640];

/** The artwork, and its smaller copies of these sizes, largest first (FEED-12). */
export function describeImages(
  hosts: Installation,
  image: ImageRef | null,
  boxesPx: readonly ImageBoxPx[],
): FeedImage[] {
  if (image === null) return [];
  const { width, height, contentType: type } = image;
  const copies = boxesPx
    .filter((boxPx) => boxPx < Math.max(width, height))
    .map((boxPx) => ({
      url: imageUrl(hosts, image, boxPx),
      type: 'image/jpeg',
      ...variantSize(image, boxPx),
    }));
  return [{ url: imageUrl(hosts, image), type, width, height }, ...copies.toReversed()];
}

/**
 * Leaves out elements that show the same artwork elsewhere, because the feed has its own: an imported
 * `podcast:images`, and a `podcast:image` without another purpose and shape.
 */
export function withoutOwnImages(
  elements: readonly ExtraElement[],
  image: ImageRef | null,
): readonly ExtraElement[] {
  return image === null ? elements : elements.filter((element) => !isArtwork(element));
}

function isArtwork({ name, attributes }: ExtraElement): boolean {
  if (/^podcast:images$/i.test(name)) return true;
  if (!/^podcast:image$/i.test(name)) return false;
  const attribute = (wanted: string) =>
    attributes
      .find(([key]) => key.toLowerCase() === wanted)?.[1]
      .trim()
      .toLowerCase() ?? '';
  const [width, height] = [attribute('width'), attribute('height')];
  const isSquare =
    /^(?:1(?: ?\/ ?1)?)?$/.test(attribute('aspect-ratio')) &&
    (width === '' || height === '' || width === height);
  const isPicture = /^(?:image\/.*)?$/.test(attribute('type'));
  return /^(?:artwork)?$/.test(attribute('purpose')) && isSquare && isPicture;
}
