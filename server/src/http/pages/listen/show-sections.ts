import { listenUrl } from '../../../domain/foundation/addresses.ts';
import type { Recommendation } from '../../../domain/public/catalogue/index.ts';
import { plainTextToHtml } from '../../../lib/html/plain-text-to-html.ts';
import { type Html, html } from '../../responses/html.ts';
import { renderFunding, renderLinks } from './follow.ts';
import { renderPeople } from './people-section.ts';
import { renderArtwork } from './picture.ts';
import { renderProse } from './prose.ts';
import { splitLead } from './split-lead.ts';
import type { View } from './view.ts';

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
      return podroll.length > 0 && renderWithHeading(view, 'podroll', renderPodroll(view, podroll));
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

/**
 * First those that are here, by their pages and with their covers: no other server is asked for one. Others by their
 * pages at Podcast Index, which has all shows and knows them by their GUIDs.
 */
function renderPodroll(view: View, shows: readonly Recommendation[]): Html {
  const covers = shows.flatMap(({ title, here }) => (here ? [renderCover(view, title, here)] : []));
  const links = shows
    .filter(({ here }) => here === undefined)
    .map(
      ({ guid, title }) =>
        html`<li><a class="app" dir="auto" href="https://podcastindex.org/podcast/${guid}" rel="nofollow noopener">${title}</a></li>
`,
    );
  return html`${
    covers.length > 0 &&
    html`<ul class="shows">
${covers}</ul>
`
  }${
    links.length > 0 &&
    html`<ul class="apps">
${links}</ul>`
  }`;
}

function renderCover(
  { hosts }: View,
  title: string,
  here: NonNullable<Recommendation['here']>,
): Html {
  // Members of this show may not be members of that one.
  const ofPublic = { ...hosts, forMembers: false };
  const picture = { boxPx: 160, className: 'cover', lazy: true } as const;
  return html`<li><a class="show" href="${listenUrl(hosts, here)}">${renderArtwork(ofPublic, here.artwork, title, picture)}<span class="text"><b dir="auto">${title}</b></span></a></li>
`;
}
