import Type from 'typebox';
import type { Installation, Terms } from '../../../domain/foundation/context.ts';
import { type Html, html } from '../../responses/html.ts';
import { closed, password, token } from '../field-schemas.ts';
import type { Field } from './fields.ts';
import { nameField, newPasswordField } from './known-fields.ts';

/** The form of a new account, with the token of the email's link. */
export const NewAccountForm = closed({
  token,
  name: Type.String(),
  password,
  /** Must be true if there are terms; the domain checks that. */
  accepts_terms: Type.Optional(Type.Boolean()),
});

/** The fields of a new account, once the email address is confirmed. */
export function accountFields({ terms }: Installation): Field[] {
  const fields = [nameField, { ...newPasswordField, label: 'Password' }];
  if (terms === undefined) return fields;
  const label = html`I accept ${nameTerms(terms)}.`;
  return [...fields, { kind: 'check', name: 'accepts_terms', label }];
}

/** A link to the terms, if they have a URL. */
function nameTerms({ version, url }: Terms): Html {
  const name = html`the terms of service (version ${version})`;
  return url === undefined
    ? name
    : html`<a href="${url}" target="_blank" rel="noopener">${name}</a>`;
}
