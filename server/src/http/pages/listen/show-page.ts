import { listenUrl } from '../../../domain/foundation/addresses.ts';
import type { ListedEpisode } from '../../../domain/public/catalogue/index.ts';
import { plainTextToHtml } from '../../../lib/html/plain-text-to-html.ts';
import { summarize } from '../../../lib/summary.ts';
import { Html, html } from '../../responses/html.ts';
import { excerpt } from '../format.ts';
import { createPage, type Page } from '../page.ts';
import { playerParts } from '../player-element.ts';
import { listenAudioUrl, renderAudio, renderFacts } from './episode-facts.ts';
import { renderFollow, renderMoved, renderSupport, renderWebsite } from './follow.ts';
import { listenScript, listenStyle, renderFooter, renderHead } from './head.ts';
import { describeSeries } from './json-ld.ts';
import { renderPeople } from './people-section.ts';
import { renderArtwork, renderPicture } from './picture.ts';
import { splitLead } from './split-lead.ts';
import { renderTitle, titleSize } from './title.ts';
import type { EpisodeView, View } from './view.ts';

export interface ShowPage {
  readonly episodes: readonly ListedEpisode[];
  /** The newest episode with audio; undefined if there is none. */
  readonly newest: ListedEpisode | undefined;
  readonly episodeCount: number;
  /** Opaque; undefined on the last page. */
  readonly nextCursor: string | undefined;
  /** Whether this is the first page, at the show's own URL. */
  readonly isFirst: boolean;
}

/** `/listen/{slug}`: the show, and its episodes, newest first. */
export function renderShowPage(view: View, page: ShowPage): Page {
  const { hosts, show, words } = view;
  const url = listenUrl(hosts, show);
  return createPage({
    language: show.language,
    title: show.title,
    head: renderHead(view, {
      url,
      title: show.title,
      description: summarize(show),
      jsonLd: describeSeries(view),
      unlisted: !page.isFirst,
    }),
    body: html`<a class="skip" href="#episodes">${words.html('skip')}</a>
<main>
${renderHero(view, page)}
<div class="column">
${page.isFirst && renderAbout(view)}
${renderEpisodes(view, page)}
${page.isFirst && renderPeople(view, show.roster)}</div>
</main>
${renderFooter(view)}`,
    style: listenStyle(show),
    script: listenScript,
    filesFrom: hosts.baseUrl,
    ...playerParts(hosts),
  });
}

function renderHero(view: View, { newest, isFirst }: ShowPage): Html {
  const { hosts, show, words } = view;
  const { title, subtitle, author, explicit } = show;
  const alt = words.text('artworkOf', { title });
  const lede = subtitle?.trim() ?? '';
  // If the description begins with the same text, the subtitle is omitted.
  const saysMore = lede !== '' && !(isFirst && show.description.trim().startsWith(lede));
  return html`<header class="band hero"><div class="column top">
${renderArtwork(hosts, show.artwork, title, { boxPx: 320, className: 'art', alt })}
<div>
<h1 class="${titleSize(title)}" dir="auto">${renderTitle(title, show.language)}</h1>
<p class="author" dir="auto">${author}</p>
${saysMore && html`<p class="lede" dir="auto">${subtitle}</p>`}
${explicit && html`<p class="facts"><span class="badge">${words.html('explicit')}</span></p>`}
${renderMoved(view)}${isFirst && newest && renderLatest({ ...view, episode: newest })}
<div class="actions">
${renderFollow(view)}${renderWebsite(view)}${renderSupport(view)}</div>
</div>
</div></header>`;
}

/** The newest episode in the player. */
function renderLatest(view: EpisodeView): Html | undefined {
  const { hosts, show, episode, words } = view;
  const src = listenAudioUrl(hosts, episode);
  if (src === undefined) return undefined;
  const page = listenUrl(hosts, show, episode.slug);
  return html`<div class="latest">
<p class="meta">${words.html('latest')}</p>
<p class="plain" dir="auto"><a class="name" href="${page}"><b>${episode.title}</b></a></p>
${renderAudio(view, src)}
</div>`;
}

function renderAbout({ show, words }: View): Html | false {
  const [lead, rest] = splitLead(show.description);
  if (lead === '' || show.description.trim() === show.title) return false;
  const prose = (text: string) =>
    html`<div class="prose" dir="auto">${new Html(plainTextToHtml(text))}</div>`;
  return html`<section aria-labelledby="about">
<h2 id="about">${words.html('about')}</h2>
${prose(lead)}
${rest !== '' && html`<details><summary class="fold">${words.html('readMore')}</summary>${prose(rest)}</details>`}
</section>`;
}

function renderEpisodes(view: View, page: ShowPage): Html {
  const { hosts, show, words } = view;
  const first = listenUrl(hosts, show);
  const { episodes, nextCursor, isFirst, episodeCount } = page;
  const rows = episodes.map((episode) => renderEpisodeRow({ ...view, episode }));
  return html`<section aria-labelledby="episodes">
<h2 id="episodes" tabindex="-1">${words.html('episodes')} <span class="count">${episodeCount}</span></h2>
${
  rows.length === 0
    ? html`<p>${words.html('noEpisodes')}</p>`
    : html`<ol class="list">
${rows}</ol>`
}
${
  (nextCursor !== undefined || !isFirst) &&
  html`<nav class="actions" aria-labelledby="episodes">
${!isFirst && html`<a class="button" href="${first}">${words.html('newest')}</a>`}
${nextCursor !== undefined && html`<a class="button" rel="next" href="${first}?cursor=${nextCursor}">${words.html('older')}</a>`}
</nav>`
}
</section>`;
}

const excerptChars = 180;

/** An episode in the list. */
function renderEpisodeRow(view: EpisodeView): Html {
  const { hosts, show, episode } = view;
  const page = listenUrl(hosts, show, episode.slug);
  const text = summarize(episode);
  const saysMore = text !== '' && text !== summarize({ subtitle: episode.title, description: '' });
  const artwork = episode.artwork !== null && episode.artwork.id !== show.artwork?.id;
  const picture = { boxPx: 160, className: 'thumb', lazy: true } as const;
  return html`<li class="episode">
<div class="text">
${renderFacts(view)}
<h3 dir="auto"><a class="name" href="${page}">${renderTitle(episode.title, show.language)}</a></h3>
${saysMore && html`<p class="excerpt" dir="auto">${excerpt(text, excerptChars)}</p>`}
</div>
${artwork && episode.artwork && renderPicture(hosts, episode.artwork, picture)}${renderPlay(view)}</li>
`;
}

/** Opens the browser's own player; the component replaces it. */
function renderPlay(view: EpisodeView): Html | undefined {
  const { episode, words } = view;
  const src = listenAudioUrl(view.hosts, episode);
  if (src === undefined) return undefined;
  const label = words.text('playTitle', { title: episode.title });
  return html`
<details class="listen"><summary class="play" data-episode="${episode.id}" aria-label="${label}"></summary>
<audio controls preload="none" src="${src}" aria-label="${label}"></audio></details>
`;
}
