import {
  listenUrl,
  transcriptFormats,
  transcriptUrl,
} from '../../../domain/foundation/addresses.ts';
import type { Context } from '../../../domain/foundation/context.ts';
import {
  findPublishedTranscript,
  measurePublishedTranscript,
  type Segment,
} from '../../../domain/publishing/transcripts/index.ts';
import { mapInSlices } from '../../../lib/time-slices.ts';
import type { Build } from '../../limits/large-builds.ts';
import { type Html, html } from '../../responses/html.ts';
import { directionOf } from '../page-language.ts';
import { renderSeekLink, renderTime } from './chapter-section.ts';
import { withTranscript } from './places.ts';
import {
  beginningReadChars,
  findBeginning,
  type Paragraph,
  type Sentence,
  toParagraphs,
} from './transcript-paragraphs.ts';
import type { EpisodeView } from './view.ts';

/**
 * Some ten hours of speech, and a page that is written in a few milliseconds. For longer transcripts
 * the page refers to the files.
 */
const limits = { maxChars: 600_000, maxParagraphs: 4_000 };

/** Of a long transcript, the page of an episode has the beginning, until a reader wants all. */
export type TranscriptPart = 'beginning' | 'all';

export interface PageTranscript {
  readonly part: TranscriptPart;
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
  part: TranscriptPart,
): Promise<PageTranscript | undefined> {
  const measured = await measurePublishedTranscript(ctx, episodeId);
  if (measured === undefined) return undefined;
  await build.grow(measured.bytes, 0);
  const limit = part === 'all' ? limits : { maxChars: beginningReadChars };
  const found = await findPublishedTranscript(ctx, episodeId, undefined, limit);
  return found && { ...found, part };
}

/** What a page shows of a transcript. */
interface ShownTranscript extends PageTranscript {
  readonly paragraphs: readonly Paragraph[];
  /** Even the page with all of it refers to the files for its end. */
  readonly isCut: boolean;
  /** How many paragraphs are the beginning, if it is long. */
  readonly beginning: number | undefined;
  /** When what is missing begins. */
  readonly restFromMs: number | undefined;
}

export function divideTranscript(transcript: PageTranscript): ShownTranscript {
  const { part, segments } = transcript;
  const beginning = findBeginning(segments);
  const isDivided = part === 'beginning' && beginning !== undefined;
  return {
    ...transcript,
    ...(isDivided
      ? { paragraphs: beginning.paragraphs, isCut: false }
      : toParagraphs(segments, limits)),
    beginning: beginning?.paragraphs.length,
    restFromMs: isDivided ? beginning.restFromMs : undefined,
  };
}

/**
 * Not collapsed: browsers find, copy and print only what is open. Browsers lay out the paragraphs that
 * are seen (`content-visibility`), so a long transcript costs readers little.
 */
export async function renderTranscript(
  view: EpisodeView,
  transcript: ShownTranscript,
  { playable, hasFiles = true }: { readonly playable: boolean; readonly hasFiles?: boolean },
): Promise<Html> {
  const { hosts, episode, words } = view;
  const { language, hasTimes, paragraphs } = transcript;
  const write = createParagraphWriter(transcript, playable);
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
${renderRest(view, transcript)}</section>
`;
}

/** A script replaces the link by what it leads to. */
function renderRest(view: EpisodeView, { isCut, restFromMs }: ShownTranscript): Html | false {
  const { hosts, show, episode, words } = view;
  if (restFromMs !== undefined) {
    const place = `${listenUrl(hosts, show, episode.slug)}${withTranscript}#rest`;
    return html`<p class="rest"><a class="button" href="${place}" data-from="${Math.floor(restFromMs / 1000)}">${words.html('transcriptAll')}</a></p>`;
  }
  return isCut && html`<p class="cut">${words.html('transcriptCut')}</p>`;
}

/**
 * Every sentence has the id `t=SECONDS`, so that a URL with this fragment leads to it, also without
 * scripts. Of those that begin in the same second, the first has it.
 */
function createParagraphWriter(
  { hasTimes, beginning }: ShownTranscript,
  playable: boolean,
): (one: Paragraph) => Html {
  let lastSecond = -1;
  let written = 0;
  const writeSentence = ({ startMs, text }: Sentence) => {
    const second = Math.floor(startMs / 1000);
    if (!hasTimes || second <= lastSecond) return html`<span>${text}</span> `;
    lastSecond = second;
    return html`<span id="t=${second}">${text}</span> `;
  };
  return ({ startMs, speaker, sentences }) => {
    const time = hasTimes && renderTime(startMs);
    const place = time && playable ? renderSeekLink(startMs, time, 'time') : time;
    const isRest = written === beginning;
    written += 1;
    return html`<p class="said"${isRest && html` id="rest"`}>${place} ${speaker !== '' && html`<b>${speaker}</b> `}${sentences.map(writeSentence)}</p>
`;
  };
}
