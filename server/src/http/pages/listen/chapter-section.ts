import type { Chapter } from '../../../domain/publishing/transcripts/index.ts';
import { tryNormalizeLink } from '../../../lib/html/link.ts';
import { mapInSlices } from '../../../lib/time-slices.ts';
import { type Html, html } from '../../responses/html.ts';
import { formatClock } from '../format.ts';
import { type PlaceOf, placeHere } from './places.ts';
import type { View } from './view.ts';

/** The visible chapters; each links to its position if there is audio. */
export async function renderChapters(
  { words }: View,
  chapters: readonly Chapter[],
  playable: boolean,
  placeOf: PlaceOf,
): Promise<Html | false> {
  const listed = chapters.filter((chapter) => chapter.hidden !== true);
  if (listed.length === 0) return false;
  return html`<section aria-labelledby="chapters">
<h2 id="chapters">${words.html('chapters')}</h2>
<ol class="list">
${await mapInSlices(listed, (chapter) => renderChapter(chapter, playable && placeOf))}</ol>
</section>
`;
}

/** A picture is elsewhere, so it is loaded late and told nothing of the page. */
function renderChapter(
  { startMs, title, linkUrl, imageUrl }: Chapter,
  placeOf: PlaceOf | false,
): Html {
  const image = tryNormalizeLink(imageUrl ?? '', ['https:']);
  const text = html`${renderTime(startMs)} ${
    image !== undefined &&
    html`<img class="still" src="${image}" width="48" height="48" alt="" loading="lazy" decoding="async" referrerpolicy="no-referrer">`
  }<span dir="auto">${title ?? '–'}</span>`;
  const href = tryNormalizeLink(linkUrl ?? '', ['http:', 'https:']);
  return html`<li class="chapter">${placeOf ? renderSeekLink(startMs, text, 'place', placeOf) : html`<span class="place">${text}</span>`}${
    href !== undefined &&
    html` <a class="meta" href="${href}" rel="nofollow noopener">${hostOf(href)}</a>`
  }</li>
`;
}

/** A link to a position: the page starts playing there. */
export function renderSeekLink(
  startMs: number,
  text: Html,
  className: 'place' | 'highlight' | 'time',
  placeOf = placeHere,
): Html {
  const seconds = Math.floor(startMs / 1000);
  return html`<a class="${className}" href="${placeOf(seconds)}" data-t="${seconds}">${text}</a>`;
}

export function renderTime(ms: number): Html {
  return html`<time class="time" datetime="PT${Math.floor(ms / 1000)}S" dir="ltr">${formatClock(ms)}</time>`;
}

function hostOf(href: string): string {
  return new URL(href).host.replace(/^www\./, '');
}
