import { listenUrl } from '../../../domain/foundation/addresses.ts';
import type {
  ListedEpisode,
  PublicPodcast,
  Recommendation,
  ShowOutline,
} from '../../../domain/public/catalogue/index.ts';
import { shorten } from '../../../lib/shorten.ts';
import { summarize } from '../../../lib/summary.ts';
import { type Html, html } from '../../responses/html.ts';
import { nameCategory } from '../name-category.ts';
import { createPage, type Page } from '../page.ts';
import { listenAudioUrl, renderAudio } from './episode-facts.ts';
import { type EpisodeList, renderEpisodes } from './episode-list.ts';
import { renderFollow, renderMoved, renderSupport, renderWebsite } from './follow.ts';
import { listenScripts, listenStyle, renderFooter, renderHead } from './head.ts';
import { describeSeries } from './json-ld.ts';
import { renderArtwork, renderHeaderImage } from './picture.ts';
import type { FoundEpisodes } from './search-results.ts';
import { isToldInOrder, isUsual } from './show-query.ts';
import { renderSection } from './show-sections.ts';
import { renderTitle, titleSize } from './title.ts';
import { renderTrailer, renderTrailerElsewhere } from './trailer.ts';
import type { EpisodeView, View } from './view.ts';
import { renderVisit, visitParts } from './visit.ts';

/** What a show's page contains besides the show. */
export interface ShowPage {
  readonly list: EpisodeList | FoundEpisodes;
  readonly outline: ShowOutline;
  /** The first episode of a serial show, the newest of any other; undefined if none has audio. */
  readonly offered: ListedEpisode | undefined;
  /** Whether this is the first page of the list at the show's own URL. */
  readonly isFirst: boolean;
  /** Shows that it recommends; read only for the section with them. */
  readonly podroll?: readonly Recommendation[];
}

/** `/listen/{slug}`: the show, and its episodes. */
export function renderShowPage(view: View, page: ShowPage): Page {
  const { hosts, show } = view;
  const url = listenUrl(hosts, show);
  return createPage({
    language: show.language,
    title: show.title,
    head: renderHead(view, {
      url,
      title: show.title,
      description: summarize(show),
      jsonLd: describeSeries(view),
      hasPicture: show.headerImage !== null,
      unlisted: page.isFirst ? undefined : isSelection(show, page) ? 'selection' : 'page',
    }),
    body: html`${renderBody(view, page)}
${renderFooter(view)}${renderVisit(view)}`,
    style: listenStyle(show, show.headerImage !== null),
    ...listenScripts(hosts),
    filesFrom: hosts.baseUrl,
    hasSearch: true,
    ...visitParts(view),
  });
}

/** The owner's preview: the same page without scripts, in which nothing can be pressed. */
export function renderShowPreview(view: View, page: ShowPage): Page {
  const { hosts, show } = view;
  return createPage({
    language: show.language,
    title: show.title,
    head: html`<meta name="robots" content="noindex">`,
    // The browser's own controls are shown at once, not after a wait for the player.
    bodyClass: 'plain',
    body: html`<div inert>
${renderBody(view, page)}
${renderFooter(view)}</div>`,
    style: listenStyle(show, show.headerImage !== null),
    filesFrom: hosts.baseUrl,
    framable: 'here',
  });
}

function renderBody(view: View, page: ShowPage): Html {
  return html`<a class="skip" href="#episodes">${view.words.html('skip')}</a>
<main>
${renderHero(view, page)}
<div class="column">
${renderSections(view, page)}</div>
</main>`;
}

/** In the order that the owner has chosen. Further pages of the list have only episodes. */
function renderSections(view: View, { list, outline, isFirst, podroll = [] }: ShowPage): Html[] {
  const kinds = isFirst ? view.show.pageSections : (['episodes'] as const);
  return kinds.map((kind) => {
    if (kind === 'episodes') return html`${renderEpisodes({ ...view, outline }, list)}\n`;
    return html`${renderSection(kind, view, podroll)}\n`;
  });
}

/** Whether its episodes are chosen: by a search, a season, a year or another order. */
const isSelection = (show: PublicPodcast, { list }: ShowPage) =>
  'search' in list || !isUsual(show, list.choice);

function renderHero(view: View, { offered, isFirst, list, outline }: ShowPage): Html {
  const { hosts, show, words } = view;
  const { title, subtitle, author } = show;
  const alt = words.text('artworkOf', { title });
  const lede = subtitle?.trim() ?? '';
  // If the description begins with the same text, the subtitle is omitted.
  const saysMore = lede !== '' && !(isFirst && show.description.trim().startsWith(lede));
  const { trailer, trailerElsewhere } = outline;
  const isTrailerLeft = isFirst && trailer !== null && trailer.id !== offered?.id;
  const has = (kind: 'links' | 'support') => isFirst && show.pageSections.includes(kind);
  return html`<header class="band hero${show.headerImage && ' pictured'}">${show.headerImage && renderHeaderImage(hosts, show.headerImage)}<div class="column top">
${renderArtwork(hosts, show.artwork, title, { boxPx: 320, className: 'art', alt })}
<div>
<h1 class="${titleSize(title)}" dir="auto">${renderTitle(title, show.language)}</h1>
<p class="author" dir="auto">${author}</p>
${saysMore && html`<p class="lede" dir="auto">${subtitle}</p>`}
${renderShowFacts(view)}
${renderMoved(view)}${isFirst && offered && renderOffered({ ...view, episode: offered }, list)}
<div class="actions">
${renderFollow(view)}${isTrailerLeft && renderTrailer({ ...view, episode: trailer })}${isFirst && trailerElsewhere !== null && renderTrailerElsewhere(view, trailerElsewhere)}${!has('links') && renderWebsite(view)}${!has('support') && renderSupport(view)}</div>
</div>
</div></header>`;
}

/** As many as members can enter. An imported feed may have any. */
const scheduleChars = 128;

/** Its category, how often it is released, and whether it is explicit, on one line. */
function renderShowFacts({ show, words }: View): Html | false {
  const { category, complete, explicit, language, releaseSchedule } = show;
  const schedule = shorten(releaseSchedule?.trim() ?? '', scheduleChars);
  const facts = [
    category !== null && html`${nameCategory(category, language)}`,
    complete ? words.html('complete') : schedule !== '' && html`<bdi>${schedule}</bdi>`,
    explicit && html`<span class="badge">${words.html('explicit')}</span>`,
  ].filter((fact) => fact !== false);
  return (
    facts.length > 0 &&
    html`<p class="facts">${facts.map((fact) => html`<span>${fact}</span> `)}</p>`
  );
}

/** The episode in the player. */
function renderOffered(view: EpisodeView, list: ShowPage['list']): Html | undefined {
  const { hosts, show, episode, words } = view;
  const src = listenAudioUrl(hosts, episode);
  if (src === undefined) return undefined;
  const page = listenUrl(hosts, show, episode.slug);
  const isInOrder = isToldInOrder(show);
  return html`<div class="latest"${isInOrder && renderContinuation(view, list)}>
<p class="meta">${words.html(isInOrder ? 'firstEpisode' : 'latest')}</p>
<p class="plain" dir="auto"><a class="name" href="${page}"><b>${episode.title}</b></a></p>
${renderAudio(view, src)}
</div>`;
}

/**
 * What a script says where it offers those who have begun the show another episode (PAGE-30). It has the
 * number only if this show shows numbers: the API has one for every episode.
 */
function renderContinuation({ words }: View, list: ShowPage['list']): Html {
  const isNumbered =
    'episodes' in list &&
    list.episodes.every(({ episodeType, givenNumber }) => episodeType !== 'full' || givenNumber);
  return html` data-continue="${words.text('continueListening')}"${
    isNumbered &&
    html` data-continue-numbered="${words.text('continueEpisode', { number: '{number}' })}"`
  }`;
}
