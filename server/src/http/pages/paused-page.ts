import type { PublicPodcast } from '../../domain/public/catalogue/index.ts';
import { html } from '../html.ts';
import { readStyle } from './assets.ts';
import { renderFollow, renderWebsite } from './listen/follow.ts';
import { listenScript } from './listen/listen-assets.ts';
import { renderArtwork } from './listen/picture.ts';
import type { Hosts } from './listen/view.ts';
import { createPage, type Page } from './page.ts';
import { paletteStyle } from './palette.ts';
import { showColor } from './show-color.ts';
import { wordsIn } from './words.ts';

const style = readStyle('base.css', 'initial.css', 'actions.css', 'paused.css');

/**
 * In the place of each page and player of a paused show. It says only what everybody knew before:
 * the show's name, cover and feed.
 */
export function renderPausedPage(hosts: Hosts, show: PublicPodcast, framed: boolean): Page {
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
    style: paletteStyle(showColor(show), framed ? show.playerTheme : 'auto') + style,
    ...(!framed && { script: listenScript }),
    framable: framed,
    filesFrom: hosts.baseUrl,
  });
}
