import { type Html, html } from '../../html.ts';
import type { Words } from '../words.ts';

/** A text to copy. Its button appears only if scripts run. */
export function renderCopyField(
  words: Words,
  field: { id: string; label: Html; value: string },
): Html {
  const { id, label, value } = field;
  return html`<label for="${id}">${label}</label>
<div class="copy"><input class="field" id="${id}" value="${value}" readonly dir="ltr" autocomplete="off"><button class="button" type="button" data-copy="${id}" data-done="${words.text('copied')}" hidden>${words.html('copy')}</button></div>
`;
}
