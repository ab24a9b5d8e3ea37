import { listenUrl, mediaMarkers, mediaUrl } from '../../domain/addresses.ts';
import { type Html, html } from '../html.ts';
import { readScript, readStyle } from '../pages/assets.ts';
import { formatDate, formatLength } from '../pages/format.ts';
import { renderArtwork } from '../pages/listen/picture.ts';
import type { EpisodeView } from '../pages/listen/view.ts';
import { createPage, type Page } from '../pages/page.ts';
import { paletteStyle } from '../pages/palette.ts';
import { playerParts, renderPlayer } from '../pages/player-element.ts';

export type Layout = 'full' | 'compact';

const style = readStyle('base.css', 'player.css');
const script = readScript(new URL('../pages/assets/player.js', import.meta.url));

/**
 * A player for the frames of other sites: of one episode, or of the one that is the newest. It needs
 * no storage and no cookie, and so works in `sandbox="allow-scripts"`, where WordPress puts it.
 * Where scripts are off it is a plain page with the browser's own controls.
 */
export function renderPlayerPage(
  view: EpisodeView,
  { layout, isLatest }: { readonly layout: Layout; readonly isLatest: boolean },
): Page {
  const { hosts, show, episode } = view;
  return createPage({
    language: show.language,
    title: `${episode.title} – ${show.title}`,
    head: html`<meta name="robots" content="noindex">
<link rel="canonical" href="${listenUrl(hosts, show.slug, episode.slug)}">`,
    bodyClass: layout,
    body: renderPlayer(show, {
      ...(isLatest ? {} : { episodeId: episode.id }),
      layout,
      theme: show.playerTheme,
      fill: true,
      plain: renderPlain(view),
    }),
    style: paletteStyle(show.playerColor ?? show.brandColor, show.playerTheme) + style,
    script,
    framable: true,
    filesFrom: hosts.baseUrl,
    ...playerParts(hosts),
  });
}

function renderPlain(view: EpisodeView): Html {
  const { hosts, show, episode, words } = view;
  const artwork = episode.artwork ?? show.artwork;
  const page = listenUrl(hosts, show.slug, episode.slug);
  return html`<main class="frame">
${renderArtwork(hosts, artwork, show.title, { boxPx: 160, className: 'art' })}
<div class="text">
<p class="meta line" dir="auto">${show.title}</p>
<h1 dir="auto"><a href="${page}" target="_blank" rel="noopener">${episode.title}</a></h1>
${renderAudio(view)}
<p class="foot meta"><span class="facts">${renderFacts(view)}</span><a href="${page}" target="_blank" rel="noopener">${words.html('openEpisode')}</a>${
    show.showPoweredBy &&
    html`<a href="${hosts.baseUrl}/" target="_blank" rel="noopener">Podstead</a>`
  }</p>
</div>
</main>
`;
}

function renderAudio({ hosts, episode, words }: EpisodeView): Html {
  const fileName = episode.audio?.fileName ?? undefined;
  if (fileName === undefined) return html`<p class="silent">${words.html('noAudio')}</p>`;
  const src = mediaUrl(hosts, { episodeId: episode.id, fileName }, mediaMarkers.player);
  const label = words.text('playTitle', { title: episode.title });
  return html`<audio controls preload="none" src="${src}" aria-label="${label}"></audio>`;
}

function renderFacts({ show, episode }: EpisodeView): Html {
  const { publishedAt, audio } = episode;
  return html`<time datetime="${publishedAt.toISOString()}">${formatDate(publishedAt, show.language)}</time>${
    audio?.durationMs != null && html` · ${formatLength(audio.durationMs, show.language)}`
  }`;
}
