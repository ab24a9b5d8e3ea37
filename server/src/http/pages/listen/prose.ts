import { Html, html } from '../../responses/html.ts';

/** A text of several paragraphs, as sanitized HTML. */
export function renderProse(text: string): Html {
  return html`<div class="prose" dir="auto">${new Html(markAddresses(text))}</div>`;
}

const link = /<a href="([^"<>]*)"([^<>]*)>([^<>]*)<\/a>/g;

/** Paper shows the addresses of links, except of those that say them. */
function markAddresses(text: string): string {
  return text.replace(link, (whole: string, href: string, rest: string, said: string) =>
    plainAddress(href) === plainAddress(said)
      ? `<a class="address" href="${href}"${rest}>${said}</a>`
      : whole,
  );
}

const plainAddress = (text: string) =>
  text
    .trim()
    .replace(/^https?:\/\//i, '')
    .replace(/^www\./i, '')
    .replace(/\/$/, '');
