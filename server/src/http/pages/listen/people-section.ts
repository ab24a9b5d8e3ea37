import type { PageCredit } from '../../../domain/public/catalogue/index.ts';
import { tryNormalizeLink } from '../../../lib/html/link.ts';
import { type Html, html } from '../../responses/html.ts';
import { excerpt } from '../format.ts';
import { renderArtwork } from './picture.ts';
import type { View } from './view.ts';

/** An excerpt reads four times its length, so the domain's `bioStart` has as much. */
const bioChars = 240;

/** The credited people with their images; empty without credits. */
export function renderPeople(view: View, people: readonly PageCredit[]): Html | false {
  if (people.length === 0) return false;
  return html`<section aria-labelledby="people">
<h2 id="people">${view.words.html('people')}</h2>
<ul class="list people">
${people.map((person) => renderPerson(view, person))}</ul>
</section>
`;
}

function renderPerson({ hosts, words }: View, person: PageCredit): Html {
  const { name, role, bioStart, photo, linkUrl } = person;
  const href = linkUrl === null ? undefined : tryNormalizeLink(linkUrl, ['http:', 'https:']);
  const options = { boxPx: 160, className: 'face', lazy: true } as const;
  return html`<li class="person">${renderArtwork(hosts, photo, name, options)}<div>
<p dir="auto"><b>${href === undefined ? name : html`<a href="${href}" rel="nofollow noopener">${name}</a>`}</b></p>
<p class="meta">${words.role(role)}</p>
${bioStart !== null && bioStart.trim() !== '' && html`<p class="bio" dir="auto">${excerpt(bioStart, bioChars)}</p>`}</div></li>
`;
}
