import { imageUrl } from '../../../domain/foundation/addresses.ts';
import type { ImageRef } from '../../../domain/public/catalogue/index.ts';
import { variantSize } from '../../../domain/publishing/images/index.ts';
import { type Html, html } from '../../responses/html.ts';
import type { Hosts } from './view.ts';

interface PictureOptions {
  /** The displayed size; high-density screens get the next larger copy. */
  readonly boxPx: 160 | 320;
  readonly className: string;
  /** Empty if the text beside it says the same. */
  readonly alt?: string;
  /** For images below the fold. */
  readonly lazy?: boolean;
}

/** Width and height are set, so that nothing shifts when the image loads. */
export function renderPicture(hosts: Hosts, image: ImageRef, options: PictureOptions): Html {
  const { boxPx, className, alt = '', lazy = false } = options;
  const { width, height } = variantSize(image, boxPx);
  const small = imageUrl(hosts, image, boxPx);
  const large = imageUrl(hosts, image, boxPx * 2);
  return html`<img class="${className}" src="${small}" srcset="${small} 1x, ${large} 2x" width="${width}" height="${height}" alt="${alt}" decoding="async"${lazy && html` loading="lazy"`}>`;
}

/** The show's image, or its initial. */
export function renderArtwork(
  hosts: Hosts,
  image: ImageRef | null,
  title: string,
  options: PictureOptions,
): Html {
  if (image !== null) return renderPicture(hosts, image, options);
  return html`<span class="${options.className} initial" aria-hidden="true">${initialOf(title)}</span>`;
}

// Made once: a page may show 500 people without a photo.
const segmenter = new Intl.Segmenter();

/** The first letter of a title, in place of artwork. */
export function initialOf(title: string): string {
  const [first] = segmenter.segment(title.trim().slice(0, 40));
  return first?.segment.toUpperCase() ?? '';
}
