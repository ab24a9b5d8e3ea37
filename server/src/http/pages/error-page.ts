import { listenUrl } from '../../domain/foundation/addresses.ts';
import type { PublicPodcast } from '../../domain/public/catalogue/index.ts';
import type { HttpFailure } from '../http-errors.ts';
import { type Html, html } from '../responses/html.ts';
import { readStyle } from './assets.ts';
import { showColor } from './color.ts';
import { renderFollow, renderWebsite } from './listen/follow.ts';
import { listenScript } from './listen/head.ts';
import { renderArtwork } from './listen/picture.ts';
import type { Hosts } from './listen/view.ts';
import { createPage, type Page } from './page.ts';
import { paletteStyle } from './palette.ts';
import { type Word, type Words, wordsIn } from './words.ts';

const style = readStyle('base.css', 'error.css');

/** Title and advice. */
const wordsByCode: Partial<Record<HttpFailure['code'], readonly [title: Word, advice: Word]>> = {
  not_found: ['errorNotFound', 'errorNotFoundAdvice'],
  unavailable: ['errorUnavailable', 'errorUnavailableAdvice'],
  rate_limited: ['errorBusy', 'errorBusyAdvice'],
  service_unavailable: ['errorAway', 'errorAwayAdvice'],
  internal_error: ['errorInternal', 'errorInternalAdvice'],
};

export interface ErrorPage {
  readonly failure: HttpFailure;
  readonly requestId: string;
  /** Shown in a frame of another site: small and on its own. */
  readonly framed: boolean;
  /** The language if no show is known. */
  readonly language: string;
  /** The show concerned, if its existence is public. */
  readonly show?: PublicPodcast | undefined;
  readonly hosts: Hosts;
}

/** An error page for people, in the language and with the name of the show. */
export function renderErrorPage(page: ErrorPage): Page {
  const { failure, requestId, framed, show, hosts } = page;
  if (show?.status === 'paused') return renderPausedPage(hosts, show, framed);
  const language = show?.language ?? page.language;
  const words = wordsIn(language);
  const isKnown = failure.code in wordsByCode;
  const [title, advice] = wordsByCode[failure.code] ?? ['errorOther', 'errorOtherAdvice'];
  const isWithheld = failure.code === 'unavailable' && show !== undefined;
  const values = { title: show?.title ?? '' };
  const heading = isWithheld ? words.html('errorUnavailableShow', values) : words.html(title);
  // The message is in English only; it is omitted if the title says the same.
  const reason = (!isKnown || language === 'en') && !isWithheld;
  return createPage({
    language,
    title: isWithheld ? words.text('errorUnavailableShow', values) : words.text(title),
    head: html`<meta name="robots" content="noindex">`,
    bodyClass: framed ? 'framed' : 'whole',
    body: html`<main>
<p class="status">${failure.status}</p>
<h1 dir="auto">${heading}</h1>
<p>${reason && html`<span lang="en" dir="ltr">${failure.message}</span> `}${words.html(advice)}</p>
<p class="meta">${words.html('reference', { id: requestId })}</p>
${!framed && renderWayOut(page, words)}
</main>
`,
    style: paletteStyle(show ? showColor(show) : null, 'auto') + style,
    framable: framed,
  });
}

/** A link to the show if its pages are public, else to the home page, at its own address. */
function renderWayOut({ failure, show, hosts }: ErrorPage, words: Words): Html {
  const isOpen = show !== undefined && failure.code === 'not_found';
  return isOpen
    ? html`<p><a href="${listenUrl(hosts, show)}" dir="auto">${show.title}</a></p>`
    : html`<p><a href="${hosts.baseUrl}/">${words.html('home')}</a></p>`;
}

const pausedStyle = readStyle('base.css', 'initial.css', 'actions.css', 'paused.css');

/**
 * In the place of each page and player of a paused show. It says only what everybody knew before:
 * the show's name, cover and feed.
 */
function renderPausedPage(hosts: Hosts, show: PublicPodcast, framed: boolean): Page {
  const words = wordsIn(show.language);
  const view = { hosts, show, words };
  const values = { title: show.title };
  const artwork = { boxPx: framed ? 160 : 320, className: 'art' } as const;
  return createPage({
    language: show.language,
    title: words.text('paused', values),
    head: html`<meta name="robots" content="noindex">`,
    bodyClass: framed ? 'framed' : 'whole',
    body: html`<main>
${renderArtwork(hosts, show.artwork, show.title, artwork)}
<div class="text">
<h1 dir="auto">${words.html('paused', values)}</h1>
<p>${words.html('pausedAdvice')}</p>
${
  !framed &&
  html`<div class="actions">
${renderFollow(view)}${renderWebsite(view)}</div>
`
}</div>
</main>
`,
    style: paletteStyle(showColor(show), framed ? show.playerTheme : 'auto') + pausedStyle,
    ...(!framed && { script: listenScript }),
    framable: framed,
    filesFrom: hosts.baseUrl,
  });
}
