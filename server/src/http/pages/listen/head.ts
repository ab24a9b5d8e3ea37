import { feedUrl, imageUrl, playerUrl } from '../../../domain/foundation/addresses.ts';
import { cardPx, versionedCardUrl } from '../../../domain/public/cards/index.ts';
import type { ListedEpisode, PublicPodcast } from '../../../domain/public/catalogue/index.ts';
import { listenScript } from '../../embed/player-script.ts';
import { type Html, html } from '../../responses/html.ts';
import { readStyle } from '../assets.ts';
import { showColor } from '../color.ts';
import { excerpt } from '../format.ts';
import type { PageParts } from '../page.ts';
import { bandStyle, paletteStyle, pictureStyle, topColors } from '../palette.ts';
import { renderJsonLd } from './json-ld.ts';
import type { Hosts, View } from './view.ts';

const style = readStyle(
  'base.css',
  'initial.css',
  'listen.css',
  'actions.css',
  'lists.css',
  'chapters.css',
  'shows.css',
  'text.css',
  'element.css',
  'print.css',
);

const backdropStyle = readStyle('backdrop.css');

/** Without the player's script, and even without that of the pages, they have the browser's controls. */
const plainScript =
  "if (!customElements.get('podstead-player')) document.body.classList.add('plain');";

/** The script of a listen page. */
export function listenScripts(hosts: Hosts): Pick<PageParts, 'script' | 'moduleFile'> {
  const { fileName, integrity } = listenScript;
  return { script: plainScript, moduleFile: { src: playerUrl(hosts, fileName), integrity } };
}

/** The styles of the show's color and theme, and those of a picture in its band. */
export function listenStyle(show: PublicPodcast, hasPicture = false): string {
  const [color, theme] = [showColor(show), show.pageTheme];
  const picture = hasPicture ? pictureStyle(color) + backdropStyle : '';
  return paletteStyle(color, theme) + bandStyle(color, theme) + style + picture;
}

/** The metadata of a listen page. */
export interface HeadFacts {
  readonly url: string;
  readonly title: string;
  readonly description: string;
  readonly jsonLd: object;
  /** Undefined: the page is about the show. */
  readonly episode?: ListedEpisode;
  readonly audio?: { readonly url: string; readonly contentType: string } | undefined;
  /** Its band has the show's picture. */
  readonly hasPicture?: boolean;
  /**
   * Search engines follow its links but do not index it: a later page of a list, or a selection of what is at `url`.
   */
  readonly unlisted?: 'page' | 'selection' | undefined;
}

const descriptionChars = 300;

export function renderHead(view: View, facts: HeadFacts): Html {
  const { hosts, show } = view;
  const { url, title, unlisted, jsonLd } = facts;
  const description = excerpt(facts.description, descriptionChars);
  const oembed = `${hosts.baseUrl}/v1/oembed?url=${encodeURIComponent(url)}&format=json`;
  const feed = feedUrl(hosts, show);
  return html`${
    description !== '' &&
    html`<meta name="description" content="${description}">
`
  }${
    unlisted !== undefined &&
    html`<meta name="robots" content="noindex, follow">
`
  }${
    unlisted !== 'page' &&
    html`<link rel="canonical" href="${url}">
`
  }<link rel="alternate" type="application/json+oembed" href="${oembed}" title="${title}">
<link rel="alternate" type="application/rss+xml" href="${feed}" title="${show.title}">
${renderIcon(view)}
${renderTopColors(view, facts.hasPicture)}${renderOpenGraph(view, { ...facts, description })}${largeCard}${renderJsonLd(jsonLd)}`;
}

/** Browsers color their bars like the band below them. */
function renderTopColors({ show }: View, hasPicture = false): Html {
  const colors = topColors(showColor(show), show.pageTheme, hasPicture);
  return html`${colors.map(
    ({ color, scheme }) =>
      html`<meta name="theme-color" content="${color}"${scheme && html` media="(prefers-color-scheme:${scheme})"`}>
`,
  )}`;
}

function renderIcon({ hosts, show: { artwork } }: View): Html {
  return artwork === null
    ? html`<link rel="icon" href="/favicon.svg" type="image/svg+xml">`
    : html`<link rel="icon" href="${imageUrl(hosts, artwork, 160)}" type="image/jpeg">`;
}

function renderOpenGraph({ hosts, show }: View, facts: HeadFacts): Html {
  const { url, title, description, episode, audio } = facts;
  const region = /^([a-z]{2,3})-(?:[A-Z][a-z]{3}-)?([A-Z]{2})$/.exec(show.language);
  return renderProperties([
    ['og:type', episode === undefined ? 'website' : 'article'],
    ['og:site_name', show.title],
    ['og:title', title],
    ['og:description', description],
    ['og:url', url],
    ['og:locale', region && `${region[1]}_${region[2]}`],
    ['og:image', versionedCardUrl(hosts, show, episode)],
    ['og:image:type', 'image/jpeg'],
    ['og:image:width', String(cardPx.width)],
    ['og:image:height', String(cardPx.height)],
    ['og:image:alt', episode === undefined ? title : `${title} – ${show.title}`],
    ['og:audio', audio?.url],
    ['og:audio:secure_url', audio?.url.startsWith('https:') && audio.url],
    ['og:audio:type', audio?.contentType],
    ['article:published_time', episode?.publishedAt.toISOString()],
  ]);
}

/** Title, description and picture are those of OpenGraph, which X reads, too. */
const largeCard = html`<meta name="twitter:card" content="summary_large_image">
`;

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
