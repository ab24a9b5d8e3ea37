import { type Html, html } from '../../html.ts';
import type { View } from './view.ts';

export function renderFooter({ hosts, show, words }: View): Html {
  const { copyright, showPoweredBy } = show;
  const [before, after] = words.text('poweredBy', { name: '\n' }).split('\n');
  return html`<footer class="column">
${copyright !== null && copyright.trim() !== '' && html`<p dir="auto">${copyright}</p>`}
${showPoweredBy && html`<p>${before}<a href="${hosts.baseUrl}/">Podstead</a>${after}</p>`}
</footer>
`;
}
