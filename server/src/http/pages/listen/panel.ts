import { type Html, html } from '../../responses/html.ts';

/** A button with a panel that covers the page, so that nothing shifts. One is open at a time. */
export function renderPanel(label: Html, content: Html): Html {
  return html`<details class="panel" name="panel"><summary class="button more">${label}</summary><div class="sheet">
${content}
</div></details>
`;
}
