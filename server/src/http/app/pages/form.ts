import type { PageWords } from '../../pages/page-words.ts';
import { type Html, html } from '../../responses/html.ts';
import { type Field, renderFields } from './fields.ts';
import { type FormState, otherProblems } from './form-state.ts';

export interface Form {
  /** A path of ours. */
  readonly action: string;
  readonly fields: readonly Field[];
  /** Hidden values: one-time tokens and the like. */
  readonly hidden?: Readonly<Record<string, unknown>>;
  /** The user whose password is requested; password managers look for it in the form. */
  readonly username?: string;
  readonly submit: string | readonly Choice[];
  /** The style of the button; default `primary`. */
  readonly look?: Look;
}

type Look = 'primary' | 'plain';

/** One of several buttons; the form is sent with its name and value. */
interface Choice {
  readonly name: string;
  readonly value: string;
  readonly label: string;
  readonly look: Look;
}

/** Renders a form with its values and problems. Works without scripts. */
export function renderForm(words: PageWords, form: Form, state: FormState): Html {
  const { action, fields, hidden = {}, username, submit, look = 'primary' } = form;
  return html`${renderComplaint(words, form, state)}<form method="post" action="${action}">
${Object.entries(hidden).map(
  ([name, value]) =>
    typeof value === 'string' && html`<input type="hidden" name="${name}" value="${value}">\n`,
)}${
  username !== undefined &&
  html`<input type="email" autocomplete="username" value="${username}" readonly hidden>\n`
}${renderFields(words, fields, state)}${
  typeof submit === 'string'
    ? html`<button class="button ${look}">${submit}</button>`
    : renderChoices(submit)
}
</form>
`;
}

function renderChoices(choices: readonly Choice[]): Html {
  return html`<div class="row">${choices.map(
    ({ name, value, label, look }) =>
      html`<button class="button ${look}" name="${name}" value="${value}">${label}</button>`,
  )}</div>`;
}

function renderComplaint(words: PageWords, { fields }: Form, state: FormState): Html | undefined {
  if (state.problems.length === 0) return undefined;
  const others = otherProblems(
    state,
    fields.map((field) => field.name),
  );
  const lines =
    others.length > 0
      ? others.map((problem) => words.writeSaid(problem))
      : [words.write('Please correct the fields marked below.')];
  return html`<div class="notice problem" role="alert">${lines.map((line) => html`<p>${line}</p>`)}</div>
`;
}
