import Type from 'typebox';
import type { Installation } from '../../../domain/foundation/context.ts';
import type { PageWords } from '../../pages/page-words.ts';
import { html } from '../../responses/html.ts';
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
export function accountFields(words: PageWords, { terms }: Installation): Field[] {
  const fields = [nameField(words), newPasswordField(words, words.say('Password'))];
  if (terms === undefined) return fields;
  const { version, url } = terms;
  const label = words.write('I accept <terms>the terms of service (version {version})</terms>.', {
    version,
    terms: (name) =>
      url === undefined ? name : html`<a href="${url}" target="_blank" rel="noopener">${name}</a>`,
  });
  return [...fields, { kind: 'check', name: 'accepts_terms', label }];
}
