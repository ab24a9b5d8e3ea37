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
import { type Paragraph, toParagraphs } from './transcript-paragraphs.ts';
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

/** Collapsed, so that a long transcript costs readers nothing. */
export async function renderTranscript(
  view: EpisodeView,
  { language, hasTimes, segments }: PageTranscript,
  { playable, hasFiles = true }: { readonly playable: boolean; readonly hasFiles?: boolean },
): Promise<Html> {
  const { hosts, episode, words } = view;
  const { paragraphs, isCut } = toParagraphs(segments, limits);
  return html`<section aria-labelledby="transcript">
<details><summary class="fold"><h2 id="transcript">${words.html('transcript')}</h2></summary>
${
  hasFiles &&
  html`<p class="meta links">${transcriptFormats(hasTimes).map(
    (format) =>
      html`<a href="${transcriptUrl(hosts, episode.id, format)}">${format.toUpperCase()}</a>`,
  )}</p>
`
}<div lang="${language}" dir="${directionOf(language)}">
${await mapInSlices(paragraphs, (paragraph) => renderParagraph(paragraph, { hasTimes, playable }))}</div>
${isCut && html`<p>${words.html('transcriptCut')}</p>`}</details>
</section>
`;
}

function renderParagraph(
  { startMs, speaker, text }: Paragraph,
  { hasTimes, playable }: { readonly hasTimes: boolean; readonly playable: boolean },
): Html {
  const time = hasTimes && renderTime(startMs);
  const place = time && playable ? renderSeekLink(startMs, time, 'time') : time;
  return html`<p class="said">${place} ${speaker !== '' && html`<b>${speaker}</b> `}${text}</p>
`;
}
