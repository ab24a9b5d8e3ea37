import {
  embedCodeUrl,
  embedUrl,
  feedUrl,
  listenUrl,
  playerUrl,
} from '../../../domain/foundation/addresses.ts';
import { versionedCardUrl } from '../../../domain/public/cards/index.ts';
import type { ListedEpisode, PublicPodcast } from '../../../domain/public/catalogue/index.ts';
import { directoryNames } from '../../../domain/publishing/distribution/index.ts';
import {
  type EmbedSubject,
  embedElementCode,
  embedFrameCode,
  plainLook,
} from '../../../lib/embed-code.ts';
import {
  type FollowLink,
  listApplePages,
  listFollowLinks,
  type Platform,
} from '../../../lib/follow-apps.ts';
import { tryNormalizeLink } from '../../../lib/html/link.ts';
import { type Html, html } from '../../responses/html.ts';
import type { Words } from '../words.ts';
import { renderPanel } from './panel.ts';
import type { EpisodeView, Hosts, View } from './view.ts';

/** How many apps are shown at once; the page's script chooses those for the reader's device. */
const appsAtFirst = 8;

/**
 * Ways to follow the show: podcast apps, the app registered for feeds, and the feed's URL for all
 * others.
 */
export function renderFollow({ hosts, show, words }: View): Html {
  const feed = newFeedOf(show) ?? feedUrl(hosts, show);
  const apps = listAppsOf(show, feed).map(
    ({
      name,
      url,
      runsOn,
    }) => html`<li data-on="${runsOn.join(' ')}"><a class="app" href="${url}">${name}</a></li>
`,
  );
  return renderPanel(
    words.html('follow'),
    html`<p class="label">${words.html('apps')}</p>
<ul class="apps" data-apps>
${apps.slice(0, appsAtFirst)}</ul>
<details class="further"><summary class="fold">${words.html('moreApps')}</summary>
<ul class="apps" data-apps>
${apps.slice(appsAtFirst)}</ul>
</details>
<ul class="apps">
<li><a class="app" href="${feed.replace(/^https?:/, 'feed:')}">${words.html('openInReader')}</a></li>
<li><a class="app" href="${feed}" type="application/rss+xml">RSS</a></li>
</ul>
${renderCopyField(words, { id: 'feed', label: words.html('feedAddress'), value: feed })}`,
  );
}

/** The feed of a show that has moved away. */
function newFeedOf({ status, newFeedUrl }: PublicPodcast): string | undefined {
  if (status !== 'moved') return undefined;
  return tryNormalizeLink(newFeedUrl ?? '', ['http:', 'https:']);
}

/** Says where a show is that has moved away: its pages stay, and its feed redirects (STATE-1). */
export function renderMoved({ show, words }: View): Html | undefined {
  const feed = newFeedOf(show);
  if (feed === undefined) return undefined;
  const host = html`<a href="${feed}" rel="noopener">${new URL(feed).host}</a>`;
  return html`<p class="moved"><b>${words.html('moved')}</b><br>${words.html('movedAdvice', { host })}</p>
`;
}

/** The number in the URL of a show's page in Apple Podcasts. */
const appleIdForm = /\/id(\d{1,20})(?![\w-])/;

interface ListedApp extends Omit<FollowLink, 'platforms'> {
  /** `page`: its page of the show plays in any browser, which is what computers have. */
  readonly runsOn: readonly (Platform | 'page')[];
}

/** Where the show's own pages in directories are known, apps lead there. */
function listAppsOf({ guid, listings }: PublicPodcast, feed: string): ListedApp[] {
  const pages = new Map(
    listings.flatMap(({ directory, url }) => {
      const name = directoryNames.find(([id]) => id === directory)?.[1];
      return name === undefined ? [] : [[name, url] as const];
    }),
  );
  const [, appleId] = appleIdForm.exec(pages.get('Apple Podcasts') ?? '') ?? [];
  const known = appleId === undefined ? pages : new Map([...listApplePages(appleId), ...pages]);
  return listFollowLinks({ feed, guid, pages: known }).map(({ platforms, ...app }) => ({
    ...app,
    runsOn: known.has(app.name) ? [...platforms, 'page'] : platforms,
  }));
}

/** The show's own website. */
export function renderWebsite({ show, words }: View): Html | undefined {
  return renderButton(show.websiteUrl, words.html('website'));
}

/** The show's website and its pages in directories; undefined if none is known. */
export function renderLinks({ show, words }: View): Html | undefined {
  const listed = show.listings.flatMap(({ directory, url }) => {
    const name = directoryNames.find(([id]) => id === directory)?.[1];
    return name === undefined ? [] : [renderLink(url, html`${name}`)];
  });
  return renderChoices([renderLink(show.websiteUrl, words.html('website')), ...listed]);
}

/** All pages where listeners support the show. */
export function renderFunding({ show, words }: View): Html | undefined {
  const { fundingUrl, fundingText, otherFunding } = show;
  const pages = [{ url: fundingUrl, text: fundingText }, ...otherFunding];
  return renderChoices(pages.map(({ url, text }) => renderLink(url, supportLabel(words, text))));
}

function renderLink(address: string | null, text: Html): Html | undefined {
  const href = tryNormalizeLink(address ?? '', ['http:', 'https:']);
  return href === undefined
    ? undefined
    : html`<li><a class="app" href="${href}" rel="noopener">${text}</a></li>
`;
}

function renderChoices(links: readonly (Html | undefined)[]): Html | undefined {
  const known = links.filter((link) => link !== undefined);
  return known.length === 0
    ? undefined
    : html`<ul class="apps">
${known}</ul>`;
}

const supportLabel = (words: Words, text: string | null) =>
  text === null || text.trim() === '' ? words.html('support') : html`${text.trim()}`;

/** The page where listeners support the show, with the makers' own label if they set one. */
export function renderSupport({ show, words }: View): Html | undefined {
  const { fundingText, fundingUrl } = show;
  return renderButton(fundingUrl, supportLabel(words, fundingText));
}

function renderButton(address: string | null, text: Html): Html | undefined {
  const href = tryNormalizeLink(address ?? '', ['http:', 'https:']);
  return href === undefined
    ? undefined
    : html`<a class="button" href="${href}" rel="noopener">${text}</a>
`;
}

/**
 * The page's URL, its card, and embed codes for other sites: a frame and a web component. A script offers a URL
 * that begins with what is heard, and shows the card of a sentence instead once a reader has gone to its time in
 * the transcript.
 */
export function renderShare({ hosts, show, episode, words }: EpisodeView): Html {
  const page = listenUrl(hosts, show, episode.slug);
  const subject = embedSubjectOf(hosts, episode);
  return renderPanel(
    words.html('share'),
    html`${renderCopyField(words, { id: 'page-address', label: words.html('pageAddress'), value: page })}
<label class="moment" data-moment="${words.text('startAtTime', { time: '\n' })}" hidden><input type="checkbox" autocomplete="off"> <span></span></label>
<div data-quote="${words.text('quotePicture', { time: '\n' })}">${renderCopyField(words, { id: 'picture', label: words.html('picture'), value: versionedCardUrl(hosts, show, episode) })}</div>
${renderCopyField(words, { id: 'player-code', label: words.html('playerCode'), value: embedFrameCode(subject, plainLook) })}
${renderCopyField(words, { id: 'player-element', label: words.html('playerElement'), value: embedElementCode(subject, plainLook) })}
<p><a href="${embedCodeUrl(hosts, episode.id)}">${words.html('embedMore')}</a></p>`,
  );
}

/** The player of an episode. */
export function embedSubjectOf(
  hosts: Hosts,
  { id, title }: Pick<ListedEpisode, 'id' | 'title'>,
): EmbedSubject {
  const frameUrl = embedUrl(hosts, id);
  return { name: 'episode', id, frameUrl, title, scriptUrl: playerUrl(hosts) };
}

/** A text to copy. Its button appears only if scripts run. */
export function renderCopyField(
  words: Words,
  field: { id: string; label: Html; value: string },
): Html {
  const { id, label, value } = field;
  return html`<label for="${id}">${label}</label>
<div class="copy"><input class="field" id="${id}" value="${value}" readonly dir="ltr" autocomplete="off"><button class="button" type="button" data-copy="${id}" data-done="${words.text('copied')}" hidden>${words.html('copy')}</button></div>
`;
}
