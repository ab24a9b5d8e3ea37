import { imageUrl, memberImagePath } from '../../../domain/foundation/addresses.ts';
import type { ImageRef } from '../../../domain/public/catalogue/index.ts';
import {
  type ImageBoxPx,
  needsWideCopy,
  variantSize,
  wideBoxPx,
} from '../../../domain/publishing/images/index.ts';
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
  const small = pictureUrl(hosts, image, boxPx);
  const large = pictureUrl(hosts, image, boxPx === 160 ? 320 : 640);
  return html`<img class="${className}" src="${small}" srcset="${small} 1x, ${large} 2x" width="${width}" height="${height}" alt="${alt}" decoding="async"${lazy && html` loading="lazy"`}>`;
}

/** For members, also if nothing public shows it. */
const pictureUrl = (hosts: Hosts, image: ImageRef, boxPx?: ImageBoxPx) =>
  hosts.forMembers === true
    ? hosts.baseUrl + memberImagePath(image, boxPx)
    : imageUrl(hosts, image, boxPx);

/** The picture behind the title, in copies that suffice under a veil. Members get the original. */
export function renderHeaderImage(hosts: Hosts, image: ImageRef): Html {
  const wide =
    hosts.forMembers !== true && needsWideCopy(image)
      ? imageUrl(hosts, image, wideBoxPx)
      : pictureUrl(hosts, image);
  return html`<picture><source media="(max-width: 42rem)" srcset="${pictureUrl(hosts, image, 640)}"><img class="backdrop" src="${wide}" width="${image.width}" height="${image.height}" alt="" decoding="async"></picture>`;
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

/** Titles that are copied often begin with a mark of their direction. */
const invisible = /^[\s\p{Default_Ignorable_Code_Point}]+/u;

/** The first letter of a title, in place of artwork. */
export function initialOf(title: string): string {
  const [first] = segmenter.segment(title.replace(invisible, '').slice(0, 40));
  return first?.segment.toUpperCase() ?? '';
}
