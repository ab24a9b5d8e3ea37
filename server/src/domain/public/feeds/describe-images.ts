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
 * `podcast:images`, and a `podcast:image` without another purpose and shape. Also leaves out the cards of
 * another installation.
 */
export function withoutOwnImages(
  elements: readonly ExtraElement[],
  image: ImageRef | null,
): readonly ExtraElement[] {
  return elements.filter(
    (element) => !isCardElsewhere(element) && (image === null || !isArtwork(element)),
  );
}

/** Whether somebody has chosen a picture for links, which then replaces the card. */
export function hasSocialImage(elements: readonly ExtraElement[]): boolean {
  return elements.some((element) => isSocial(element) && !isCardElsewhere(element));
}

const isSocial = (element: ExtraElement) =>
  isImage(element) && /(?:^|[\s,])social(?:[\s,]|$)/.test(readAttribute(element, 'purpose'));

function isCardElsewhere(element: ExtraElement): boolean {
  return (
    isSocial(element) && /\/cards\/[0-9a-f-]{36}\.jpg\?v=/.test(readAttribute(element, 'href'))
  );
}

const isImage = ({ name }: ExtraElement) => /^podcast:image$/i.test(name);

function isArtwork(element: ExtraElement): boolean {
  if (/^podcast:images$/i.test(element.name)) return true;
  if (!isImage(element)) return false;
  const [width, height] = [readAttribute(element, 'width'), readAttribute(element, 'height')];
  const isSquare =
    /^(?:1(?: ?\/ ?1)?)?$/.test(readAttribute(element, 'aspect-ratio')) &&
    (width === '' || height === '' || width === height);
  const isPicture = /^(?:image\/.*)?$/.test(readAttribute(element, 'type'));
  return /^(?:artwork)?$/.test(readAttribute(element, 'purpose')) && isSquare && isPicture;
}

function readAttribute({ attributes }: ExtraElement, wanted: string): string {
  const found = attributes.find(([key]) => key.toLowerCase() === wanted);
  return found?.[1].trim().toLowerCase() ?? '';
}
