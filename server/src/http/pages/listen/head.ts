import { feedUrl, imageUrl } from '../../../domain/foundation/addresses.ts';
import type { ImageRef, PublicPodcast } from '../../../domain/public/catalogue/index.ts';
import { variantSize } from '../../../domain/publishing/images/index.ts';
import { detectPlatform } from '../../../lib/follow-apps.ts';
import { type Html, html } from '../../responses/html.ts';
import { readScript, readStyle } from '../assets.ts';
import { showColor, tryParseColor } from '../color.ts';
import { excerpt } from '../format.ts';
import { bandStyle, paletteStyle } from '../palette.ts';
import { renderJsonLd } from './json-ld.ts';
import { cardBoxPx } from './picture.ts';
import type { View } from './view.ts';

const style = readStyle(
  'base.css',
  'initial.css',
  'listen.css',
  'actions.css',
  'lists.css',
  'element.css',
);

const ownScript = readScript(new URL('../assets/listen.js', import.meta.url));
export const listenScript = `${detectPlatform}\n${ownScript}`;

/** A listen page follows the reader's system; the show's theme applies only to the player. */
export function listenStyle(show: PublicPodcast): string {
  const color = showColor(show);
  return paletteStyle(color, 'auto') + bandStyle(color) + style;
}

/** The metadata of a listen page. */
export interface HeadFacts {
  readonly url: string;
  readonly title: string;
  readonly description: string;
  readonly image: ImageRef | null;
  readonly jsonLd: object;
  /** OpenGraph's type for an episode requires a date. */
  readonly publishedAt?: Date;
  readonly audio?: { readonly url: string; readonly contentType: string } | undefined;
  readonly playerUrl?: string;
  /** A later page of a list: search engines follow its links but do not index it. */
  readonly unlisted?: boolean;
}

const descriptionChars = 300;

export function renderHead(view: View, facts: HeadFacts): Html {
  const { hosts, show } = view;
  const { url, title, unlisted, jsonLd } = facts;
  const description = excerpt(facts.description, descriptionChars);
  const oembed = `${hosts.baseUrl}/v1/oembed?url=${encodeURIComponent(url)}&format=json`;
  const feed = feedUrl(hosts, show);
  const brand = tryParseColor(showColor(show)) && showColor(show);
  return html`<meta name="description" content="${description}">
${unlisted === true ? html`<meta name="robots" content="noindex, follow">` : html`<link rel="canonical" href="${url}">`}
<link rel="alternate" type="application/json+oembed" href="${oembed}" title="${title}">
<link rel="alternate" type="application/rss+xml" href="${feed}" title="${show.title}">
${renderIcon(view)}
${
  brand &&
  html`<meta name="theme-color" content="${brand}">
`
}${renderOpenGraph(view, { ...facts, description })}${renderCard(view, { ...facts, description })}${renderJsonLd(jsonLd)}`;
}

function renderIcon({ hosts, show: { artwork } }: View): Html {
  return artwork === null
    ? html`<link rel="icon" href="/favicon.svg" type="image/svg+xml">`
    : html`<link rel="icon" href="${imageUrl(hosts, artwork, 160)}" type="image/jpeg">`;
}

function renderOpenGraph({ hosts, show }: View, facts: HeadFacts): Html {
  const { url, title, description, image, publishedAt, audio } = facts;
  const region = /^([a-z]{2,3})-(?:[A-Z][a-z]{3}-)?([A-Z]{2})$/.exec(show.language);
  const size = image && variantSize(image, cardBoxPx);
  return renderProperties([
    ['og:type', publishedAt === undefined ? 'website' : 'article'],
    ['og:site_name', show.title],
    ['og:title', title],
    ['og:description', description],
    ['og:url', url],
    ['og:locale', region && `${region[1]}_${region[2]}`],
    ['og:image', image && imageUrl(hosts, image, cardBoxPx)],
    ['og:image:type', image && 'image/jpeg'],
    ['og:image:width', size && String(size.width)],
    ['og:image:height', size && String(size.height)],
    ['og:image:alt', image && title],
    ['og:audio', audio?.url],
    ['og:audio:secure_url', audio?.url.startsWith('https:') && audio.url],
    ['og:audio:type', audio?.contentType],
    ['article:published_time', publishedAt?.toISOString()],
  ]);
}

/** A player card requires TLS and audio; otherwise there is only a description. */
function renderCard({ hosts }: View, facts: HeadFacts): Html {
  const { title, description, image, audio, playerUrl } = facts;
  const playable = audio !== undefined && playerUrl?.startsWith('https:') === true;
  const names: [string, string | false | undefined][] = [
    ['twitter:card', playable ? 'player' : 'summary'],
    ['twitter:title', title],
    ['twitter:description', description],
    ['twitter:image', image ? imageUrl(hosts, image, cardBoxPx) : undefined],
    ['twitter:player', playable && playerUrl],
    ['twitter:player:width', playable && '600'],
    ['twitter:player:height', playable && '180'],
  ];
  return html`${names.map(
    ([name, content]) =>
      content &&
      html`<meta name="${name}" content="${content}">
`,
  )}`;
}

function renderProperties(
  properties: readonly (readonly [string, string | null | false | undefined])[],
): Html {
  return html`${properties.map(
    ([name, content]) =>
      content &&
      html`<meta property="${name}" content="${content}">
`,
  )}`;
}

export function renderFooter({ hosts, show, words }: View): Html {
  const { copyright, showPoweredBy } = show;
  const [before, after] = words.text('poweredBy', { name: '\n' }).split('\n');
  return html`<footer class="column">
${copyright !== null && copyright.trim() !== '' && html`<p dir="auto">${copyright}</p>`}
${showPoweredBy && html`<p>${before}<a href="${hosts.baseUrl}/">Podstead</a>${after}</p>`}
</footer>
`;
}
