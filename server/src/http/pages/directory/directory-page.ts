import { appPages, imageUrl, listenUrl } from '../../../domain/foundation/addresses.ts';
import type { DirectoryEntry } from '../../../domain/public/catalogue/index.ts';
import { type Html, html, renderJsonScript } from '../../responses/html.ts';
import { readStyle } from '../assets.ts';
import { renderArtwork } from '../listen/picture.ts';
import type { Hosts } from '../listen/view.ts';
import { nameCategory } from '../name-category.ts';
import { createPage, type Page } from '../page.ts';
import { paletteStyle } from '../palette.ts';
import type { Words } from '../words.ts';

export interface DirectoryPage {
  readonly hosts: Hosts;
  /** One of those that the pages support. */
  readonly language: string;
  readonly words: Words;
  readonly signUp: boolean;
  readonly shows: readonly DirectoryEntry[];
  /** Those of all listed shows, by Apple's names. */
  readonly categories: readonly string[];
  /** The search as it was typed; empty: none. */
  readonly search: string;
  readonly category: string | undefined;
  /** Whether this is the first page of the list. */
  readonly isFirst: boolean;
  /** Opaque; undefined on the last page. */
  readonly nextCursor: string | undefined;
}

const style =
  paletteStyle(null, 'auto') +
  readStyle('base.css', 'initial.css', 'actions.css', 'shows.css', 'directory.css');

/** `/` with `PUBLIC_DIRECTORY=on`: all public shows. */
export function renderDirectory(page: DirectoryPage): Page {
  const { hosts, language, words, category, isFirst, search } = page;
  const name = words.text('podcasts');
  const title = category === undefined ? name : `${nameCategory(category, language)} – ${name}`;
  const url = directoryUrl(hosts, { category });
  const description = words.text('podcastsAbout');
  const isListed = isFirst && search === '';
  const { headers, text } = createPage({
    language,
    title: `${title} – ${new URL(hosts.baseUrl).host}`,
    head: html`<meta name="description" content="${description}">
${
  isListed
    ? html`<link rel="canonical" href="${url}">
<meta property="og:type" content="website">
<meta property="og:title" content="${title}">
<meta property="og:description" content="${description}">
<meta property="og:url" content="${url}">`
    : html`<meta name="robots" content="noindex">`
}
<link rel="icon" href="/favicon.svg" type="image/svg+xml">
${isListed && renderJsonScript('application/ld+json', describeDirectory(page, title, url))}`,
    body: html`<a class="skip" href="#list">${words.html('skip')}</a>
<main>
<h1><a class="name" href="/">${words.html('podcasts')}</a></h1>
<p class="meta">${words.html('podcastsAbout')}</p>
${renderSearch(page)}
${renderCategories(page)}
${renderList(page)}
</main>
${renderFooter(page)}`,
    style,
    hasSearch: true,
    filesFrom: hosts.baseUrl,
  });
  return { text, headers: { ...headers, 'Content-Language': language } };
}

type Filter = Partial<Record<'q' | 'category' | 'cursor', string | undefined>>;

function directoryUrl({ baseUrl }: Pick<Hosts, 'baseUrl'>, filter: Filter): string {
  const given = Object.entries(filter).filter(([, value]) => value !== undefined && value !== '');
  const query = new URLSearchParams(given as [string, string][]).toString();
  return `${baseUrl}/${query === '' ? '' : `?${query}`}`;
}

function renderSearch({ words, search, category }: DirectoryPage): Html {
  return html`<form class="search" role="search" action="/">
<input class="field" type="search" name="q" value="${search}" maxlength="200" dir="auto" autocomplete="off" aria-label="${words.text('searchPodcasts')}" placeholder="${words.text('searchPodcasts')}">
${
  category !== undefined &&
  html`<input type="hidden" name="category" value="${category}">
`
}<button class="button">${words.html('search')}</button>
</form>`;
}

function renderCategories({ hosts, language, words, ...page }: DirectoryPage): Html | false {
  const { category: chosen, categories, search } = page;
  if (categories.length === 0) return false;
  const { compare } = new Intl.Collator(language);
  const named = categories
    .map((category) => ({ category, name: nameCategory(category, language) }))
    .sort((one, other) => compare(one.name, other.name));
  const all = { category: undefined, name: words.text('allCategories') };
  const links = [all, ...named].map(
    ({ category, name }) =>
      html`<li><a class="app" href="${directoryUrl(hosts, { q: search, category })}"${category === chosen && html` aria-current="true"`}>${name}</a></li>
`,
  );
  return html`<nav aria-label="${words.text('categories')}"><ul class="apps">
${links}</ul></nav>`;
}

function renderList(page: DirectoryPage): Html {
  const { hosts, words, shows, search, category, isFirst, nextCursor } = page;
  const isFiltered = search !== '' || category !== undefined;
  const url = (cursor?: string) => directoryUrl(hosts, { q: search, category, cursor });
  return html`<section id="list" tabindex="-1" aria-label="${words.text('podcasts')}">
${
  shows.length === 0
    ? html`<p>${words.html(isFiltered ? 'noPodcastsFound' : 'noPodcasts')}</p>`
    : html`<ul class="shows">
${shows.map((show) => renderEntry(page, show))}</ul>`
}
${
  (nextCursor !== undefined || !isFirst) &&
  html`<nav class="actions" aria-label="${words.text('morePodcasts')}">
${!isFirst && html`<a class="button" href="${url()}">${words.html('firstPage')}</a>`}
${nextCursor !== undefined && html`<a class="button" rel="next" href="${url(nextCursor)}">${words.html('morePodcasts')}</a>`}
</nav>`
}
</section>`;
}

function renderEntry({ hosts, words }: DirectoryPage, show: DirectoryEntry): Html {
  const { title, author, language, explicit, artwork } = show;
  const picture = { boxPx: 160, className: 'cover', lazy: true } as const;
  return html`<li><a class="show" href="${listenUrl(hosts, show)}">
${renderArtwork(hosts, artwork, title, picture)}
<span class="text"><b lang="${language}" dir="auto">${title}</b>
<span class="meta" dir="auto">${author}</span>${explicit && html` <span class="badge">${words.html('explicit')}</span>`}</span>
</a></li>
`;
}

function renderFooter({ hosts, words, signUp }: DirectoryPage): Html {
  const [before, after] = words.text('poweredBy', { name: '\n' }).split('\n');
  return html`<footer>
<p><a href="${appPages.home}">${words.html('signIn')}</a>${
    signUp && html` <a href="${appPages.signUp}">${words.html('createAccount')}</a>`
  } <a href="${hosts.baseUrl}/docs">API</a></p>
<p>${before}Podstead${after}</p>
</footer>
`;
}

/** schema.org's description of the list, and of the search. */
function describeDirectory({ hosts, shows, language }: DirectoryPage, name: string, url: string) {
  return {
    '@context': 'https://schema.org',
    '@type': 'CollectionPage',
    name,
    url,
    inLanguage: language,
    isPartOf: {
      '@type': 'WebSite',
      url: `${hosts.baseUrl}/`,
      potentialAction: {
        '@type': 'SearchAction',
        target: `${hosts.baseUrl}/?q={search_term_string}`,
        'query-input': 'required name=search_term_string',
      },
    },
    mainEntity: {
      '@type': 'ItemList',
      itemListElement: shows.map((show, index) => ({
        '@type': 'ListItem',
        position: index + 1,
        item: {
          '@type': 'PodcastSeries',
          '@id': listenUrl(hosts, show),
          url: listenUrl(hosts, show),
          name: show.title,
          ...(show.artwork && { image: imageUrl(hosts, show.artwork) }),
        },
      })),
    },
  };
}
