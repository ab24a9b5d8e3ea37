import { appUrl, listenUrl } from '../../domain/foundation/addresses.ts';
import type { NewestEpisode, PublicPodcast } from '../../domain/public/catalogue/index.ts';
import { type Html, html } from '../responses/html.ts';
import { readStyle } from './assets.ts';
import { playerColor, showColor } from './color.ts';
import { renderFollow, renderWebsite } from './listen/follow.ts';
import { listenScripts } from './listen/head.ts';
import { renderArtwork } from './listen/picture.ts';
import type { Hosts } from './listen/view.ts';
import { createPage, type Page, type PageParts } from './page.ts';
import { bandStyle, paletteStyle } from './palette.ts';
import { type Words, wordsIn } from './words.ts';

/**
 * Pages and frames about a show in the place of what was requested. STATE-1 decides the status, and
 * what may be said: a hidden show has none of these pages.
 */
interface StatePage {
  readonly show: PublicPodcast;
  readonly hosts: Hosts;
  /** Shown in a frame of another site, where the player would be. */
  readonly framed: boolean;
  readonly requestId: string;
}

const style = readStyle('base.css', 'initial.css', 'actions.css', 'state.css');
export const noIndex = html`<meta name="robots" content="noindex">`;

interface StateParts {
  readonly title: string;
  readonly heading: Html;
  readonly text: Html;
  /** Its picture can't be loaded while it is suspended. */
  readonly hasCover?: boolean;
  readonly scripts?: Pick<PageParts, 'script' | 'moduleFile'>;
}

function renderState(page: Omit<StatePage, 'requestId'>, parts: StateParts): Page {
  const { hosts, show, framed } = page;
  const artwork = { boxPx: framed ? 160 : 320, className: 'art' } as const;
  const cover = parts.hasCover === false ? null : show.artwork;
  return createPage({
    language: show.language,
    title: parts.title,
    head: noIndex,
    bodyClass: framed ? 'framed' : 'whole band',
    body: html`<main>
${renderArtwork(hosts, cover, show.title, artwork)}
<div class="text">
<h1>${parts.heading}</h1>
${parts.text}</div>
</main>
`,
    style: stateStyle(show, framed),
    ...parts.scripts,
    framable: framed,
    filesFrom: hosts.baseUrl,
  });
}

/** A frame looks like the player in whose place it is, a page like the top of the show's page. */
function stateStyle(show: PublicPodcast, framed: boolean): string {
  const color = showColor(show);
  if (framed) return paletteStyle(playerColor(show), show.playerTheme) + style;
  return paletteStyle(color, show.pageTheme) + bandStyle(color, show.pageTheme) + style;
}

/** It says only what everybody knew before: the show's name, cover and feed. */
export function renderPausedPage(hosts: Hosts, show: PublicPodcast, framed: boolean): Page {
  const words = wordsIn(show.language);
  const view = { hosts, show, words };
  const values = { title: show.title };
  return renderState(
    { hosts, show, framed },
    {
      title: words.text('paused', values),
      heading: words.html('paused', values),
      scripts: framed ? {} : listenScripts(hosts),
      text: html`<p>${words.html('pausedAdvice')}</p>
${
  !framed &&
  html`<div class="actions">
${renderFollow(view)}${renderWebsite(view)}</div>
`
}`,
    },
  );
}

/** A suspended show. Its feed stays, and so do the subscriptions to it (STATE-2). */
export function renderWithheldPage(page: StatePage): Page {
  const { show, framed, requestId } = page;
  const words = wordsIn(show.language);
  const values = { title: show.title };
  return renderState(page, {
    title: words.text('errorUnavailableShow', values),
    heading: words.html('errorUnavailableShow', values),
    text: html`<p>${words.html('unavailableShowAdvice')}</p>
${!framed && renderReference(words, requestId)}`,
    hasCover: false,
  });
}

/** An episode that a public show doesn't have, or has no more: offers the show and its newest. */
export function renderMissingPage(
  page: StatePage & { readonly newest?: NewestEpisode | undefined },
): Page {
  const { hosts, show, framed, requestId, newest } = page;
  const words = wordsIn(show.language);
  const title = framed ? 'nothingToPlay' : 'errorNotFound';
  const showPage = listenUrl(hosts, show);
  // A frame doesn't navigate to pages, which refuse frames.
  const target = framed && html` target="_blank" rel="noopener"`;
  return renderState(page, {
    title: words.text(title),
    heading: words.html(title),
    text: html`<p><a href="${showPage}"${target} dir="auto">${show.title}</a></p>
<p>${words.html('missingAdvice')}</p>
${
  newest &&
  html`<p><span class="meta">${words.html('latest')}</span><br><a href="${listenUrl(hosts, show, newest.slug)}"${target} dir="auto">${newest.title}</a></p>
`
}${
  !framed &&
  html`<div class="actions">
<a class="button" href="${showPage}">${words.html('allEpisodes')}</a>
</div>
${renderTeamAdvice(hosts, words)}${renderReference(words, requestId)}`
}`,
  });
}

/**
 * The same for hidden and unknown pages, because public pages don't know who is signed in: members see
 * drafts in the dashboard.
 */
export const renderTeamAdvice = (hosts: Hosts, words: Words): Html =>
  html`<p class="meta"><a href="${appUrl(hosts, 'home')}">${words.html('teamAdvice')}</a></p>
`;

export const renderReference = (words: Words, id: string): Html =>
  html`<p class="meta">${words.html('reference', { id })}</p>
`;
