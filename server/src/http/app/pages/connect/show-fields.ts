import type { ManagedShow } from '../../../../domain/exchange/sites/index.ts';
import { type Html, html } from '../../../html.ts';
import type { ChoiceField, Field } from '../fields.ts';
import type { OfferedShows } from './offered-shows.ts';

export function showsField(shows: readonly ManagedShow[]): ChoiceField {
  return {
    kind: 'some-of',
    name: 'podcasts',
    label: 'Shows',
    choices: shows.map(({ id, title, slug }) => ({ value: id, label: title, hint: slug })),
  };
}

export const transcriptsField: Field = {
  kind: 'check',
  name: 'transcripts',
  label: 'Include transcripts',
  hint: 'The site can read the transcripts of these shows. Its posts show those that you publish.',
};

export function renderOthers({ others }: OfferedShows): Html | undefined {
  if (others.length === 0) return undefined;
  return html`<details class="more"><summary>${others.length === 1 ? 'One show' : `${others.length} shows`} you cannot connect</summary>
<ul>${others.map(({ title, reason }) => html`<li><strong>${title}</strong>: ${reason}.</li>\n`)}</ul>
</details>
`;
}
