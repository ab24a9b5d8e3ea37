import { listenUrl } from '../../../domain/foundation/addresses.ts';
import type {
  ListedEpisode,
  PublicPodcast,
  ShowOutline,
} from '../../../domain/public/catalogue/index.ts';
import { plainTextToHtml } from '../../../lib/html/plain-text-to-html.ts';
import { summarize } from '../../../lib/summary.ts';
import { Html, html } from '../../responses/html.ts';
import { nameCategory } from '../name-category.ts';
import { createPage, type Page } from '../page.ts';
import { listenAudioUrl, renderAudio } from './episode-facts.ts';
import { type EpisodeList, renderEpisodes } from './episode-list.ts';
import { renderFollow, renderMoved, renderSupport, renderWebsite } from './follow.ts';
import { listenScript, listenStyle, renderFooter, renderHead } from './head.ts';
import { describeSeries } from './json-ld.ts';
import { renderPeople } from './people-section.ts';
import { renderArtwork } from './picture.ts';
import type { FoundEpisodes } from './search-results.ts';
import { isUsual } from './show-query.ts';
import { splitLead } from './split-lead.ts';
import { renderTitle, titleSize } from './title.ts';
import type { EpisodeView, View } from './view.ts';
import { renderVisit, visitParts } from './visit.ts';

/** What a show's page contains besides the show. */
export interface ShowPage {
  readonly list: EpisodeList | FoundEpisodes;
  readonly outline: ShowOutline;
  /** The newest episode with audio; undefined if there is none. */
  readonly newest: ListedEpisode | undefined;
  /** Whether this is the first page of the list at the show's own URL. */
  readonly isFirst: boolean;
}

/** `/listen/{slug}`: the show, and its episodes. */
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
      unlisted: page.isFirst ? undefined : isSelection(show, page) ? 'selection' : 'page',
    }),
    body: html`<a class="skip" href="#episodes">${words.html('skip')}</a>
<main>
${renderHero(view, page)}
<div class="column">
${page.isFirst && renderAbout(view)}
${renderEpisodes({ ...view, outline: page.outline }, page.list)}
${page.isFirst && renderPeople(view, show.roster)}</div>
</main>
${renderFooter(view)}${renderVisit(view)}`,
    style: listenStyle(show),
    script: listenScript,
    filesFrom: hosts.baseUrl,
    hasSearch: true,
    ...visitParts(view),
  });
}

/** Whether its episodes are chosen: by a search, a season, a year or another order. */
const isSelection = (show: PublicPodcast, { list }: ShowPage) =>
  'search' in list || !isUsual(show, list.choice);

function renderHero(view: View, { newest, isFirst }: ShowPage): Html {
  const { hosts, show, words } = view;
  const { title, subtitle, author, category, explicit } = show;
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
${(category !== null || explicit) && html`<p class="facts">${category !== null && html`<span>${nameCategory(category, show.language)}</span> `}${explicit && html`<span class="badge">${words.html('explicit')}</span>`}</p>`}
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
