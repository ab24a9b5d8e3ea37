import { type Html, html } from '../../html.ts';

/** A table that scrolls sideways on phones; empty without rows. */
export function renderTable(
  caption: string,
  heads: readonly string[],
  rows: readonly (readonly Html[])[],
): Html {
  if (rows.length === 0) return html``;
  return html`<div class="scroll" tabindex="0" role="group" aria-label="${caption}"><table>
<caption>${caption}</caption>
<thead><tr>${heads.map((head) => html`<th scope="col">${head}</th>`)}</tr></thead>
<tbody>
${rows.map(
  (cells) => html`<tr>${cells.map((cell) => html`<td>${cell}</td>`)}</tr>
`,
)}</tbody></table></div>
`;
}
