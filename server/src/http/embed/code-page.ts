import Type from 'typebox';
import { latestEmbedUrl, listenUrl } from '../../domain/foundation/addresses.ts';
import { tryParseColor } from '../../lib/color.ts';
import {
  type EmbedLook,
  type EmbedSubject,
  embedElementCode,
  embedElementTag,
  embedFrameCode,
  embedFrameUrl,
  isStart,
} from '../../lib/embed-code.ts';
import { readScript, readStyle } from '../pages/assets.ts';
import { playerColor, showColor } from '../pages/color.ts';
import { embedSubjectOf, renderCopyField } from '../pages/listen/follow.ts';
import type { EpisodeView } from '../pages/listen/view.ts';
import { createPage, type Page } from '../pages/page.ts';
import { paletteStyle } from '../pages/palette.ts';
import { playerParts } from '../pages/player-element.ts';
import type { Word } from '../pages/words.ts';
import { Html, html } from '../responses/html.ts';

const style = readStyle('base.css', 'actions.css', 'element.css', 'code.css');
const script = readScript(new URL('../pages/assets/code.js', import.meta.url));

/** Of the form. Anything that isn't offered counts as not chosen. */
export const codeQuery = Type.Object({
  plays: Type.Optional(Type.Unknown()),
  layout: Type.Optional(Type.Unknown()),
  theme: Type.Optional(Type.Unknown()),
  color: Type.Optional(Type.Unknown()),
  t: Type.Optional(Type.Unknown()),
});
export type CodeQuery = Type.Static<typeof codeQuery>;

const sources: readonly (readonly [value: string, word: Word])[] = [
  ['episode', 'thisEpisode'],
  ['newest', 'newestEpisode'],
  ['list', 'newestWithList'],
];
const layouts: readonly (readonly [EmbedLook['layout'], Word])[] = [
  ['full', 'sizeLarge'],
  ['compact', 'sizeCompact'],
];
const themes: readonly (readonly [EmbedLook['theme'], Word])[] = [
  ['', 'themeOfShow'],
  ['light', 'themeLight'],
  ['dark', 'themeDark'],
  ['auto', 'themeAuto'],
];
const longestStart = 20;

const canStart = (text: string) => text.length <= longestStart && isStart(text);

interface Choice {
  readonly source: string;
  readonly subject: EmbedSubject;
  readonly look: EmbedLook;
  /** What was entered, also if no player can start there. */
  readonly start: string;
}

function readChoice(view: EpisodeView, query: CodeQuery): Choice {
  const { hosts, show, episode } = view;
  const one = <T extends string>(options: readonly (readonly [T, Word])[], value: unknown) =>
    options.find(([option]) => option === value)?.[0] ?? (options[0]?.[0] as T);
  const source = one(sources, query.plays);
  const isEpisode = source === 'episode';
  const start = typeof query.t === 'string' ? query.t.trim() : '';
  const color = typeof query.color === 'string' ? query.color.toLowerCase() : '';
  const isOwnColor =
    tryParseColor(color) !== undefined && color !== playerColor(show).toLowerCase();
  const own = embedSubjectOf(hosts, episode);
  const frameUrl = latestEmbedUrl(hosts, show.slug);
  return {
    source,
    subject: isEpisode
      ? own
      : { ...own, name: 'podcast', id: show.id, frameUrl, title: show.title },
    look: {
      layout: one(layouts, query.layout),
      theme: one(themes, query.theme),
      color: isOwnColor ? color : '',
      start: isEpisode && canStart(start) ? start : '',
      hasPlaylist: source === 'list',
    },
    start,
  };
}

/**
 * `/ep/{id}/code`: a form for the look of a player on another site, its preview, and its code (PAGE-28). Without
 * a script, the form loads the page again.
 */
export function renderCodePage(view: EpisodeView, query: CodeQuery): Page {
  const { hosts, show, episode, words } = view;
  const choice = readChoice(view, query);
  const title = words.text('embedTitle');
  return createPage({
    language: show.language,
    title: `${title} – ${episode.title}`,
    head: html`<meta name="robots" content="noindex">
<link rel="icon" href="${hosts.baseUrl}/favicon.svg" type="image/svg+xml">`,
    body: html`<main>
<p class="meta"><a dir="auto" href="${listenUrl(hosts, show, episode.slug)}">${episode.title}</a> · <a dir="auto" href="${listenUrl(hosts, show)}">${show.title}</a></p>
<h1>${words.html('embedTitle')}</h1>
<div class="builder">
${renderForm(view, choice)}
${renderResult(view, choice)}
</div>
</main>
`,
    style: paletteStyle(showColor(show), show.pageTheme) + style,
    script,
    hasSearch: true,
    filesFrom: hosts.baseUrl,
    ...playerParts(hosts),
  });
}

function renderForm(view: EpisodeView, { source, look, start }: Choice): Html {
  const { show, words } = view;
  const isWrong = start !== '' && !canStart(start);
  const problem = isWrong && html` aria-invalid="true" aria-describedby="start-problem"`;
  return html`<form>
<fieldset><legend>${words.html('embedPlays')}</legend>
${sources.map(
  ([value, word]) =>
    html`<label class="option"><input type="radio" name="plays" value="${value}"${value === source && html` checked`}> ${words.html(word)}</label>
`,
)}</fieldset>
${renderSelect(view, { name: 'layout', label: 'embedSize', options: layouts, chosen: look.layout })}
${renderSelect(view, { name: 'theme', label: 'embedTheme', options: themes, chosen: look.theme })}
<label for="color">${words.html('embedColor')}</label>
<input class="color" id="color" type="color" name="color" value="${look.color || playerColor(show)}">
<label for="start">${words.html('startAt')}</label>
<input class="field" id="start" name="t" value="${start.slice(0, longestStart)}" placeholder="1:30" maxlength="${longestStart}" dir="ltr" autocomplete="off"${problem}>
<p class="problem" id="start-problem" role="status">${isWrong && words.html('startForm')}</p>
<button class="button" id="update">${words.html('embedUpdate')}</button>
</form>`;
}

interface Select {
  readonly name: string;
  readonly label: Word;
  readonly options: readonly (readonly [value: string, word: Word])[];
  readonly chosen: string;
}

function renderSelect({ words }: EpisodeView, { name, label, options, chosen }: Select): Html {
  const items = options.map(
    ([value, word]) =>
      html`<option value="${value}"${value === chosen && html` selected`}>${words.text(word)}</option>`,
  );
  return html`<label for="${name}">${words.html(label)}</label>
<select class="field" id="${name}" name="${name}">${items}</select>`;
}

/** What the script exchanges while the form changes. */
function renderResult({ words }: EpisodeView, { subject, look }: Choice): Html {
  const name = words.text('embedPreview');
  const height = `${look.layout}${look.hasPlaylist ? ' listed' : ''}`;
  return html`<section id="result" aria-label="${name}">
<div class="preview ${height}">${new Html(embedElementTag(subject, look))}<a class="button" href="${embedFrameUrl(subject, look)}" target="_blank" rel="noopener">${name}</a></podstead-player></div>
${renderCopyField(words, { id: 'player-code', label: words.html('playerCode'), value: embedFrameCode(subject, look) })}
${renderCopyField(words, { id: 'player-element', label: words.html('playerElement'), value: embedElementCode(subject, look) })}
</section>`;
}
