import { listenUrl } from '../../../domain/foundation/addresses.ts';
import type { ListedEpisode, ShowOutline } from '../../../domain/public/catalogue/index.ts';
import { maxSearchChars } from '../../../domain/public/search/index.ts';
import { type Html, html } from '../../responses/html.ts';
import { formatNumber, formatYear } from '../format.ts';
import { renderEpisodeRow } from './episode-row.ts';
import { renderPanel } from './panel.ts';
import { type FoundEpisodes, renderFound } from './search-results.ts';
import { type Choice, choiceUrl, isUsual } from './show-query.ts';
import type { View } from './view.ts';

/** A page of a show's episodes. */
export interface EpisodeList {
  readonly choice: Choice;
  readonly episodes: readonly ListedEpisode[];
  /** Opaque; undefined on the last page. */
  readonly nextCursor: string | undefined;
  /** Whether this is the first page of the choice. */
  readonly isFirst: boolean;
}

export interface ListView extends View {
  readonly outline: ShowOutline;
}

/** Fewer are found by looking at them. */
const fewestToSearch = 10;
/** More than a page. */
const fewestToChoose = 31;

/** The episodes of a show, or what a search has found among them. A script replaces what is in `list`. */
export function renderEpisodes(view: ListView, shown: EpisodeList | FoundEpisodes): Html {
  const { outline, show, words } = view;
  const count = formatNumber(outline.episodeCount, show.language);
  const isFound = 'search' in shown;
  return html`<section aria-labelledby="episodes">
<h2 id="episodes" tabindex="-1">${words.html('episodes')}${outline.episodeCount > 0 && html` <span class="count">${count}</span>`}</h2>
${(isFound || outline.episodeCount >= fewestToSearch) && renderSearchForm(view, isFound ? shown.search.text : '')}
<div id="list">
${isFound ? renderFound(view, shown) : renderList(view, shown)}
</div>
</section>`;
}

/** Relative to the host that it is on, as the policy of the page demands. */
function renderSearchForm({ hosts, show, words }: View, text: string): Html {
  const { pathname } = new URL(listenUrl(hosts, show));
  const label = words.text('searchEpisodes');
  return html`<form class="copy search" role="search" action="${pathname}#episodes">
<input class="field" type="search" name="q" value="${text}" maxlength="${maxSearchChars}" dir="auto" aria-label="${label}" placeholder="${label}" autocomplete="off" enterkeyhint="search"><button class="button">${words.html('search')}</button>
</form>
<p class="aloud" id="said" role="status"></p>`;
}

function renderList(view: ListView, list: EpisodeList): Html {
  const { show, words } = view;
  const rows = list.episodes.map((episode) => renderEpisodeRow({ ...view, episode }));
  const isAll = isUsual(show, list.choice);
  return html`${renderChoices(view, list.choice)}${
    rows.length === 0
      ? html`<p>${words.html(isAll ? 'noEpisodes' : 'noneHere')}</p>`
      : html`<ol class="list">
${rows}</ol>`
  }
${renderPages(view, list)}`;
}

function renderPages(view: View, { choice, nextCursor, isFirst }: EpisodeList): Html | false {
  if (nextCursor === undefined && isFirst) return false;
  const { hosts, show, words } = view;
  const { isOldestFirst } = choice;
  return html`<nav class="actions" aria-labelledby="episodes">
${!isFirst && html`<a class="button" href="${choiceUrl(hosts, show, choice)}#episodes">${words.html(isOldestFirst ? 'oldest' : 'newest')}</a>`}
${nextCursor !== undefined && html`<a class="button" rel="next" href="${choiceUrl(hosts, show, choice, nextCursor)}#episodes">${words.html(isOldestFirst ? 'newer' : 'older')}</a>`}
</nav>`;
}

/** A season, a year and the order, if there is anything to choose. */
function renderChoices(view: ListView, choice: Choice): Html | false {
  const { hosts, outline, show, words } = view;
  const { seasons, years, episodeCount } = outline;
  const isLong = episodeCount >= fewestToChoose;
  const isChosen = choice.season !== undefined || choice.year !== undefined;
  const canChooseSeason = seasons.length > 1;
  const canChooseYear = isLong && years.length > 1;
  if (!(canChooseSeason || isLong || isChosen)) return false;
  const all = { ...choice, season: undefined, year: undefined };
  const turned = { ...choice, isOldestFirst: !choice.isOldestFirst };
  return html`<nav class="actions" aria-label="${words.text('choose')}">
${canChooseSeason && renderSeasons(view, choice)}${canChooseYear && renderYears(view, choice)}${
  isLong &&
  html`<a class="button" href="${choiceUrl(hosts, show, turned)}#episodes">${words.html(choice.isOldestFirst ? 'newestFirst' : 'oldestFirst')}</a>
`
}${isChosen && html`<a class="button" href="${choiceUrl(hosts, show, all)}#episodes">${words.html('allEpisodes')}</a>`}
</nav>
`;
}

/** The newest first, as the list, unless that begins with the oldest. */
const inOrder = <Part>(parts: readonly Part[], { isOldestFirst }: Choice) =>
  isOldestFirst ? parts.toReversed() : parts;

function renderSeasons(view: ListView, choice: Choice): Html {
  const { outline, words } = view;
  const seasons = inOrder(outline.seasons, choice);
  const links = seasons.map(({ season, name, count }) => {
    const label = html`${words.html('season', { number: season })}${name !== null && html`: <bdi>${name}</bdi>`}`;
    const isChosen = season === choice.season;
    return renderLink(view, { ...choice, season, year: undefined }, { label, count, isChosen });
  });
  const chosen = choice.season !== undefined && words.html('season', { number: choice.season });
  return renderPanel(chosen || words.html('seasons'), html`<ul class="apps">${links}</ul>`);
}

function renderYears(view: ListView, choice: Choice): Html {
  const { outline, show, words } = view;
  const write = (year: number) => html`${formatYear(year, show.language)}`;
  const links = inOrder(outline.years, choice).map(({ year, count }) => {
    const isChosen = year === choice.year;
    const target = { ...choice, year, season: undefined };
    return renderLink(view, target, { label: write(year), count, isChosen });
  });
  const chosen = choice.year !== undefined && write(choice.year);
  return renderPanel(chosen || words.html('years'), html`<ul class="apps">${links}</ul>`);
}

function renderLink(
  { hosts, show }: View,
  choice: Choice,
  { label, count, isChosen }: { label: Html; count: number; isChosen: boolean },
): Html {
  const url = `${choiceUrl(hosts, show, choice)}#episodes`;
  return html`<li><a class="app" href="${url}"${isChosen && html` aria-current="true"`}><span>${label} <span class="count">${formatNumber(count, show.language)}</span></span></a></li>
`;
}
