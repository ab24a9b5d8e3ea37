import type { PageWords } from '../../pages/page-words.ts';
import { type Html, html } from '../../responses/html.ts';
import { type FormState, firstWrongField, problemOf } from './form-state.ts';

/** Form fields with label, hint and problem, connected for assistive technology. */

interface Common {
  /** The name in the form and in `details`. */
  readonly name: string;
  readonly label: string | Html;
  readonly hint?: string | Html;
}

export interface TextField extends Common {
  readonly kind: 'text' | 'email' | 'password';
  /** The HTML `autocomplete` value, for browsers and password managers. */
  readonly autocomplete: string;
  readonly optional?: boolean;
  readonly maxLength?: number;
}

interface Choice {
  readonly value: string;
  readonly label: string;
  readonly hint?: string;
}

/** One choice (radio buttons) or several (check boxes). */
export interface ChoiceField extends Common {
  readonly kind: 'one-of' | 'some-of';
  readonly choices: readonly Choice[];
}

/** Yes or no. */
export interface CheckField extends Common {
  readonly kind: 'check';
}

export type Field = TextField | ChoiceField | CheckField;

/** Renders the fields in order; the first wrong field gets the focus. */
export function renderFields(words: PageWords, fields: readonly Field[], state: FormState): Html {
  const names = fields.map((field) => field.name);
  const focused = firstWrongField(state, names);
  return html`${fields.map((field) => renderField({ words, state }, field, field.name === focused))}`;
}

interface Shown {
  readonly words: PageWords;
  readonly state: FormState;
}

function renderField(shown: Shown, field: Field, focused: boolean): Html {
  switch (field.kind) {
    case 'one-of':
    case 'some-of':
      return renderChoice(shown, field, focused);
    case 'check':
      return renderCheck(shown, field, focused);
    default:
      return renderText(shown, field, focused);
  }
}

function renderText(shown: Shown, field: TextField, focused: boolean): Html {
  const { words, state } = shown;
  const { name, label, kind, autocomplete, optional, maxLength } = field;
  // Passwords are never sent back.
  const value = kind === 'password' ? undefined : state.values[name];
  return html`<div class="line">
<label for="${name}">${label}${optional === true && html` <span class="meta">${words.say('(optional)')}</span>`}</label>
${renderHint(field)}<input class="field" id="${name}" name="${name}" type="${kind}" autocomplete="${autocomplete}"${
    kind !== 'text' && html` autocapitalize="none" spellcheck="false"`
  }${typeof value === 'string' && html` value="${value}"`}${
    optional !== true && html` required`
  }${maxLength !== undefined && html` maxlength="${maxLength}"`}${attributesOf(field, state, focused)}>
${renderProblem(shown, field)}</div>
`;
}

function renderChoice(shown: Shown, field: ChoiceField, focused: boolean): Html {
  const { state } = shown;
  const { name, label, kind, choices } = field;
  const chosen = [state.values[name]].flat().map(String);
  const radio = kind === 'one-of';
  return html`<fieldset class="line" id="${name}"${describedBy(field, state)}>
<legend>${label}</legend>
${renderHint(field)}${choices.map(
  (
    { value, label, hint },
    index,
  ) => html`<label class="choice"><input type="${radio ? 'radio' : 'checkbox'}" name="${name}" value="${value}"${radio && html` required`}${
    chosen.includes(value) && html` checked`
  }${focused && index === 0 && html` autofocus`}><span>${label}${
    hint !== undefined && html` <span class="meta">${hint}</span>`
  }</span></label>
`,
)}${renderProblem(shown, field)}</fieldset>
`;
}

function renderCheck(shown: Shown, field: CheckField, focused: boolean): Html {
  const { state } = shown;
  const { name, label } = field;
  return html`<div class="line">
<label class="choice"><input type="checkbox" id="${name}" name="${name}" value="true"${
    state.values[name] === true && html` checked`
  }${attributesOf(field, state, focused)}><span>${label}</span></label>
${renderHint(field)}${renderProblem(shown, field)}</div>
`;
}

function renderHint({ name, hint }: Common): Html | undefined {
  return hint === undefined ? undefined : html`<p class="hint" id="${name}-hint">${hint}</p>\n`;
}

function renderProblem({ words, state }: Shown, { name }: Common): Html | undefined {
  const problem = problemOf(state, name);
  return problem === undefined
    ? undefined
    : html`<p class="problem" id="${name}-problem">${words.writeSaid(problem)}</p>\n`;
}

function attributesOf(field: Common, state: FormState, focused: boolean): Html {
  const wrong = problemOf(state, field.name) !== undefined;
  return html`${describedBy(field, state)}${wrong && html` aria-invalid="true"`}${focused && html` autofocus`}`;
}

function describedBy({ name, hint }: Common, state: FormState): Html | undefined {
  const parts = [
    ...(hint === undefined ? [] : [`${name}-hint`]),
    ...(problemOf(state, name) === undefined ? [] : [`${name}-problem`]),
  ];
  return parts.length === 0 ? undefined : html` aria-describedby="${parts.join(' ')}"`;
}
