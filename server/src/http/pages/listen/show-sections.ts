import { plainTextToHtml } from '../../../lib/html/plain-text-to-html.ts';
import { Html, html } from '../../responses/html.ts';
import { renderFunding, renderLinks } from './follow.ts';
import { renderPeople } from './people-section.ts';
import { splitLead } from './split-lead.ts';
import type { View } from './view.ts';

/** Another show that this one recommends. */
export interface Recommendation {
  readonly guid: string;
  readonly title: string;
}

type Section = Exclude<View['show']['pageSections'][number], 'episodes'>;

/** A section that has nothing to show is empty. */
export function renderSection(
  kind: Section,
  view: View,
  podroll: readonly Recommendation[],
): Html | false | undefined {
  switch (kind) {
    case 'about':
      return renderAbout(view);
    case 'people':
      return renderPeople(view, view.show.roster);
    case 'links':
      return renderWithHeading(view, 'links', renderLinks(view));
    case 'podroll':
      return podroll.length > 0 && renderWithHeading(view, 'podroll', renderPodroll(podroll));
    case 'support':
      return renderWithHeading(view, 'support', renderFunding(view));
    case 'text':
      return renderText(view);
  }
}

function renderWithHeading(
  { words }: View,
  name: 'links' | 'podroll' | 'support',
  content: Html | undefined,
): Html | undefined {
  return (
    content &&
    html`<section aria-labelledby="${name}">
<h2 id="${name}">${words.html(name)}</h2>
${content}
</section>`
  );
}

const renderProse = (text: string) => html`<div class="prose" dir="auto">${new Html(text)}</div>`;

function renderAbout({ show, words }: View): Html | false {
  const [lead, rest] = splitLead(show.description);
  if (lead === '' || show.description.trim() === show.title) return false;
  const prose = (text: string) => renderProse(plainTextToHtml(text));
  return html`<section aria-labelledby="about">
<h2 id="about">${words.html('about')}</h2>
${prose(lead)}
${rest !== '' && html`<details><summary class="fold">${words.html('readMore')}</summary>${prose(rest)}</details>`}
</section>`;
}

/** It has headings of its own, if any. It was sanitized when it was stored. */
function renderText({ show: { pageText } }: View): Html | false {
  return pageText !== null && html`<section>${renderProse(pageText)}</section>`;
}

/** Each by its page at Podcast Index, which has all shows and knows them by their GUIDs. */
function renderPodroll(shows: readonly Recommendation[]): Html {
  const items = shows.map(
    ({ guid, title }) =>
      html`<li><a class="app" dir="auto" href="https://podcastindex.org/podcast/${guid}" rel="nofollow noopener">${title}</a></li>
`,
  );
  return html`<ul class="apps">
${items}</ul>`;
}
