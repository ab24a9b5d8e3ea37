import { transcriptFormats, transcriptUrl } from '../../../domain/foundation/addresses.ts';
import type { Context } from '../../../domain/foundation/context.ts';
import {
  findPublishedTranscript,
  measureTranscript,
  type Segment,
} from '../../../domain/publishing/transcripts/index.ts';
import { mapInSlices } from '../../../lib/time-slices.ts';
import type { Build } from '../../limits/large-builds.ts';
import { type Html, html } from '../../responses/html.ts';
import { directionOf } from '../page-language.ts';
import { renderSeekLink, renderTime } from './chapter-section.ts';
import { type Paragraph, type Sentence, toParagraphs } from './transcript-paragraphs.ts';
import type { EpisodeView } from './view.ts';

/**
 * Some ten hours of speech, and a page that is written in a few milliseconds. For longer transcripts
 * the page refers to the files.
 */
const limits = { maxChars: 600_000, maxParagraphs: 4_000 };

export interface PageTranscript {
  readonly language: string;
  /** False: there is nothing to seek to. */
  readonly hasTimes: boolean;
  readonly segments: readonly Segment[];
}

/** Reads as much of the published transcript as a page shows, in the turn of `build` if it is long. */
export async function findPageTranscript(
  ctx: Context,
  build: Build,
  episodeId: string,
): Promise<PageTranscript | undefined> {
  await build.grow(await measureTranscript(ctx, episodeId), 0);
  return findPublishedTranscript(ctx, episodeId, undefined, limits);
}

/**
 * Not collapsed: browsers find, copy and print only what is open. Browsers lay out the paragraphs that
 * are seen (`content-visibility`), so a long transcript costs readers little.
 */
export async function renderTranscript(
  view: EpisodeView,
  { language, hasTimes, segments }: PageTranscript,
  { playable, hasFiles = true }: { readonly playable: boolean; readonly hasFiles?: boolean },
): Promise<Html> {
  const { hosts, episode, words } = view;
  const { paragraphs, isCut } = toParagraphs(segments, limits);
  const write = createParagraphWriter(hasTimes, playable);
  return html`<section class="transcript" aria-labelledby="transcript">
<div class="head"><h2 id="transcript">${words.html('transcript')}</h2>${
    hasTimes &&
    playable &&
    html`<button class="button follow" type="button" aria-pressed="false" hidden>${words.html('followAlong')}</button>`
  }</div>
${
  hasFiles &&
  html`<p class="meta links">${transcriptFormats(hasTimes).map(
    (format) =>
      html`<a href="${transcriptUrl(hosts, episode.id, format)}">${format.toUpperCase()}</a>`,
  )}</p>
`
}<div class="speech" lang="${language}" dir="${directionOf(language)}"${
    hasTimes &&
    hasFiles &&
    html` data-quote="${words.text('copyLinkFrom', { time: '{time}' })}" data-done="${words.text('copied')}"`
  }>
${await mapInSlices(paragraphs, write)}</div>
${isCut && html`<p>${words.html('transcriptCut')}</p>`}</section>
`;
}

/**
 * Every sentence has the id `t=SECONDS`, so that a URL with this fragment leads to it, also without
 * scripts. Of those that begin in the same second, the first has it.
 */
function createParagraphWriter(hasTimes: boolean, playable: boolean): (one: Paragraph) => Html {
  let lastSecond = -1;
  const writeSentence = ({ startMs, text }: Sentence) => {
    const second = Math.floor(startMs / 1000);
    if (!hasTimes || second <= lastSecond) return html`<span>${text}</span> `;
    lastSecond = second;
    return html`<span id="t=${second}">${text}</span> `;
  };
  return ({ startMs, speaker, sentences }) => {
    const time = hasTimes && renderTime(startMs);
    const place = time && playable ? renderSeekLink(startMs, time, 'time') : time;
    return html`<p class="said">${place} ${speaker !== '' && html`<b>${speaker}</b> `}${sentences.map(writeSentence)}</p>
`;
  };
}
