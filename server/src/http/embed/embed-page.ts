import { listenUrl, mediaMarkers, mediaUrl } from '../../domain/foundation/addresses.ts';
import type { PublicPodcast } from '../../domain/public/catalogue/index.ts';
import { readScript, readStyle } from '../pages/assets.ts';
import { showColor } from '../pages/color.ts';
import { formatLength } from '../pages/format.ts';
import { renderPublished } from '../pages/listen/episode-facts.ts';
import { renderArtwork } from '../pages/listen/picture.ts';
import type { EpisodeView, Hosts, View } from '../pages/listen/view.ts';
import { createPage, type Page } from '../pages/page.ts';
import { paletteStyle } from '../pages/palette.ts';
import { playerParts, renderPlayer } from '../pages/player-element.ts';
import { type Html, html } from '../responses/html.ts';

export type Layout = 'full' | 'compact';

const style = readStyle('base.css', 'player.css', 'element.css');
const script = readScript(new URL('../pages/assets/player.js', import.meta.url));

/**
 * The player page for frames of other sites. It needs neither storage nor cookies, so it works in
 * `sandbox="allow-scripts"`, where WordPress puts it. Without scripts it falls back to the
 * browser's own controls.
 */
export function renderPlayerPage(view: EpisodeView, layout: Layout): Page {
  const { hosts, show, episode } = view;
  return createPage({
    language: show.language,
    title: `${episode.title} – ${show.title}`,
    head: html`<meta name="robots" content="noindex">
<link rel="canonical" href="${listenUrl(hosts, show, episode.slug)}">`,
    bodyClass: layout,
    body: html`<main>
<h1 class="unseen" dir="auto">${episode.title}</h1>
${renderPlayer(show, {
  episodeId: episode.id,
  layout,
  theme: show.playerTheme,
  fill: true,
  plain: renderPlain(view),
})}
</main>
`,
    style: paletteStyle(show.playerColor ?? showColor(show), show.playerTheme) + style,
    script,
    framable: true,
    filesFrom: hosts.baseUrl,
    ...playerParts(hosts),
  });
}

/** The player page of a show that has no public episode yet: its name, and that there is none. */
export function renderEmptyPlayerPage(view: View, layout: Layout): Page {
  const { hosts, show, words } = view;
  const page = listenUrl(hosts, show);
  return createPage({
    language: show.language,
    title: show.title,
    head: html`<meta name="robots" content="noindex">
<link rel="canonical" href="${page}">`,
    bodyClass: layout,
    body: html`<main>
<div class="frame">
${renderCover(hosts, show)}
<div class="text">
<h1 class="name"><a dir="auto" href="${page}" target="_blank" rel="noopener">${show.title}</a></h1>
<p class="silent">${words.html('noEpisodes')}</p>
</div>
</div>
</main>
`,
    style: paletteStyle(show.playerColor ?? showColor(show), show.playerTheme) + style,
    framable: true,
    filesFrom: hosts.baseUrl,
  });
}

const renderCover = (hosts: Hosts, { artwork, title }: Pick<PublicPodcast, 'artwork' | 'title'>) =>
  renderArtwork(hosts, artwork, title, { boxPx: 160, className: 'art' });

function renderPlain(view: EpisodeView): Html {
  const { hosts, show, episode, words } = view;
  const artwork = episode.artwork ?? show.artwork;
  const page = listenUrl(hosts, show, episode.slug);
  return html`<div class="frame">
${renderCover(hosts, { artwork, title: show.title })}
<div class="text">
<p class="meta line" dir="auto">${show.title}</p>
<p class="name"><a dir="auto" href="${page}" target="_blank" rel="noopener">${episode.title}</a></p>
${renderAudio(view)}
<p class="foot meta"><span class="facts">${renderFacts(view)}</span><a href="${page}" target="_blank" rel="noopener">${words.html('openEpisode')}</a>${
    show.showPoweredBy &&
    html`<a href="${hosts.baseUrl}/" target="_blank" rel="noopener">Podstead</a>`
  }</p>
</div>
</div>
`;
}

function renderAudio({ hosts, episode, words }: EpisodeView): Html {
  const fileName = episode.audio?.fileName ?? undefined;
  if (fileName === undefined) return html`<p class="silent">${words.html('noAudio')}</p>`;
  const src = mediaUrl(hosts, { episodeId: episode.id, fileName }, mediaMarkers.player);
  const label = words.text('playTitle', { title: episode.title });
  return html`<audio controls preload="none" src="${src}" aria-label="${label}"></audio>`;
}

function renderFacts(view: EpisodeView): Html {
  const durationMs = view.episode.audio?.durationMs;
  return html`${renderPublished(view)}${
    durationMs != null && html` · ${formatLength(durationMs, view.show.language)}`
  }`;
}
