import { setImmediate } from 'node:timers/promises';
import { commentsUrl, listenUrl } from '../../../domain/foundation/addresses.ts';
import type { PageEpisode, PublicEpisode } from '../../../domain/public/catalogue/index.ts';
import type { Chapter } from '../../../domain/publishing/transcripts/index.ts';
import { plainTextToHtml } from '../../../lib/html/plain-text-to-html.ts';
import { summarize } from '../../../lib/summary.ts';
import { type Html, html } from '../../responses/html.ts';
import { formatBytes } from '../format.ts';
import { createPage, type Page, type PageParts } from '../page.ts';
import { renderChapters } from './chapter-section.ts';
import { renderCommentsLink } from './comments-section.ts';
import { listenAudioUrl, renderAudio, renderFacts } from './episode-facts.ts';
import { renderFollow, renderMoved, renderShare, renderSupport } from './follow.ts';
import { listenScripts, listenStyle, renderFooter, renderHead } from './head.ts';
import { renderHighlights } from './highlight-section.ts';
import { episodeJsonLd } from './json-ld.ts';
import { linkTimestamps } from './link-timestamps.ts';
import { type Neighbours, renderNeighbours } from './neighbours.ts';
import { renderPeople } from './people-section.ts';
import { renderArtwork } from './picture.ts';
import { type PlaceOf, placeHere, placesBefore } from './places.ts';
import { renderProse } from './prose.ts';
import { renderTitle, titleSize } from './title.ts';
import { divideTranscript, type PageTranscript, renderTranscript } from './transcript-section.ts';
import type { EpisodeView } from './view.ts';
import { renderQueueButton, renderVisit, visitParts } from './visit.ts';

export interface EpisodePage {
  readonly chapters: readonly Chapter[];
  readonly transcript: PageTranscript | undefined;
}

export interface PublicEpisodePage extends EpisodePage, Neighbours {
  /** The post in the fediverse whose replies are the comments. */
  readonly postUrl: string | undefined;
}

/** `/listen/{slug}/{episode}`: one episode, to listen to and to read. */
export async function renderEpisodePage(
  view: EpisodeView<PageEpisode>,
  page: PublicEpisodePage,
): Promise<Page> {
  const { hosts, show, episode, words } = view;
  const audioUrl = listenAudioUrl(hosts, episode);
  const playable = audioUrl !== undefined;
  const comments = page.postUrl === undefined ? undefined : commentsUrl(hosts, show, episode.id);
  const around = html`${comments && renderCommentsLink(view, comments)}${renderNeighbours(view, page)}`;
  const texts = await renderTexts(view, page, { playable, around });
  return createPage({
    language: show.language,
    title: `${episode.title} – ${show.title}`,
    head: renderHead(view, headFacts(view, page.chapters, audioUrl)),
    body: html`<a class="skip" href="#main">${words.html('skip')}</a>
${renderShowBar(view)}
<main id="main" tabindex="-1">
${renderHero(view)}
<div class="column">
${renderMoved(view)}${renderPlayer(view, audioUrl)}
${texts}</div>
</main>
${renderFooter(view)}${renderVisit(view, episode.id, page.next?.slug)}`,
    style: listenStyle(show),
    ...listenScripts(hosts),
    filesFrom: hosts.baseUrl,
    ...withData(visitParts(view), comments),
  });
}

function headFacts(
  view: EpisodeView<PageEpisode>,
  chapters: readonly Chapter[],
  audioUrl: string | undefined,
) {
  const { hosts, show, episode } = view;
  return {
    url: listenUrl(hosts, show, episode.slug),
    title: episode.title,
    description: summarize(episode),
    episode,
    jsonLd: episodeJsonLd(view, chapters),
    audio:
      audioUrl === undefined
        ? undefined
        : { url: audioUrl, contentType: episode.audio?.contentType ?? '' },
  };
}

/** A link to the show, with its image unless that is already large below. */
export function renderShowBar({ hosts, show, episode }: EpisodeView): Html {
  const picture = { boxPx: 160, className: 'mark' } as const;
  const isBelow = episode.artwork === null || episode.artwork.id === show.artwork?.id;
  return html`<header class="band"><a class="column home" href="${listenUrl(hosts, show)}">${!isBelow && renderArtwork(hosts, show.artwork, show.title, picture)}<span dir="auto">${show.title}</span></a></header>`;
}

export function renderHero(view: EpisodeView): Html {
  const { hosts, show, episode, words } = view;
  const { title, subtitle } = episode;
  const alt = words.text('artworkOf', { title });
  const artwork = episode.artwork ?? show.artwork;
  return html`<div class="band hero"><div class="column top">
${renderArtwork(hosts, artwork, show.title, { boxPx: 320, className: 'art', alt })}
<div>
${renderFacts(view)}
<h1 class="${titleSize(title)}" dir="auto">${renderTitle(title, show.language)}</h1>
${subtitle !== null && subtitle.trim() !== '' && html`<p class="lede" dir="auto">${subtitle}</p>`}
</div>
</div></div>`;
}

function renderPlayer(view: EpisodeView, audioUrl: string | undefined): Html {
  const { episode, show, words } = view;
  const size = episode.audio?.sizeBytes;
  return html`${audioUrl === undefined ? html`<p class="meta">${words.html('noAudio')}</p>` : html`<div class="player">${renderAudio(view, audioUrl)}</div>`}
<div class="actions">
${renderShare(view)}${renderFollow(view)}${renderSupport(view)}</div>
${
  audioUrl !== undefined &&
  html`<p class="tools"><a class="tool load" href="${audioUrl}" download>${words.html('download')}${size != null && html` <span class="meta">${formatBytes(size, show.language)}</span>`}</a> ${renderQueueButton(view, 'tool')}</p>
`
}`;
}

/** The comments may be at the show's own domain. */
function withData<Parts extends Pick<PageParts, 'dataFrom'>>(
  parts: Parts,
  comments: string | undefined,
): Parts {
  if (comments === undefined) return parts;
  const dataFrom = [...new Set([...(parts.dataFrom ?? []), new URL(comments).origin])];
  return { ...parts, dataFrom };
}

/**
 * Highlights, notes, chapters, people, what is `around` the episode, and the transcript, which is the longest. They
 * may be long, so it yields to other requests.
 */
export async function renderTexts(
  view: EpisodeView<PageEpisode>,
  { chapters, transcript }: EpisodePage,
  options: { readonly playable: boolean; readonly hasFiles?: boolean; readonly around?: Html },
): Promise<Html> {
  const shown = transcript && divideTranscript(transcript);
  const { hasTimes = false, restFromMs } = shown ?? {};
  const placeOf = hasTimes && restFromMs !== undefined ? placesBefore(restFromMs) : placeHere;
  const notes = renderNotes(view, options.playable && placeOf);
  await setImmediate();
  return html`${options.playable && renderHighlights(view, placeOf)}${notes}
${await renderChapters(view, chapters, options.playable, placeOf)}
${renderPeople(view, view.episode.people)}
${options.around}
${shown && (await renderTranscript(view, shown, options))}`;
}

/** The show notes, sanitized when they were stored; without notes, the plain description. */
function renderNotes(
  { episode, words }: EpisodeView<PublicEpisode>,
  placeOf: PlaceOf | false,
): Html | false {
  const { title, description, showNotesHtml } = episode;
  const plain = () => (description.trim() === title ? '' : plainTextToHtml(description));
  const notes = showNotesHtml?.trim() || plain();
  if (notes === '') return false;
  const lastMs = episode.audio?.durationMs ?? undefined;
  return html`<section aria-labelledby="notes">
<h2 id="notes">${words.html('showNotes')}</h2>
${renderProse(placeOf ? linkTimestamps(notes, lastMs, placeOf) : notes)}
</section>`;
}
