import { type Html, html } from '../../html.ts';
import { type Field, renderFields } from './fields.ts';
import { type FormState, otherProblems } from './form-state.ts';

export interface Form {
  /** Where it is sent; our own address, without a query. */
  readonly action: string;
  readonly fields: readonly Field[];
  /** What it sends beside that where there is any: one-time tokens and the like. */
  readonly hidden?: Readonly<Record<string, unknown>>;
  /** Whose password is asked for: password managers look for it in the form. */
  readonly username?: string;
  readonly submit: string;
  /** What the button looks like: the thing to do (the default), one to think about, or neither. */
  readonly look?: 'primary' | 'danger' | 'plain';
}

/** A form as it is, or as it comes back with what is wrong. Works without a script. */
export function renderForm(form: Form, state: FormState): Html {
  const { action, fields, hidden = {}, username, submit, look = 'primary' } = form;
  return html`${renderComplaint(form, state)}<form method="post" action="${action}">
${Object.entries(hidden).map(
  ([name, value]) =>
    typeof value === 'string' && html`<input type="hidden" name="${name}" value="${value}">\n`,
)}${
  username !== undefined &&
  html`<input type="email" autocomplete="username" value="${username}" readonly hidden>\n`
}${renderFields(fields, state)}<button class="button ${look}">${submit}</button>
</form>
`;
}

function renderComplaint({ fields }: Form, state: FormState): Html | undefined {
  if (state.problems.length === 0) return undefined;
  const others = otherProblems(
    state,
    fields.map((field) => field.name),
  );
  const lines = others.length > 0 ? others : ['Not done yet: see what is marked below.'];
  return html`<div class="notice problem" role="alert">${lines.map((line) => html`<p>${line}</p>`)}</div>
`;
}
