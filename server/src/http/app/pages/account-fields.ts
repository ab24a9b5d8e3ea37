import type { Installation, Terms } from '../../../domain/context.ts';
import { type Html, html } from '../../html.ts';
import type { Field } from './fields.ts';
import { nameField, newPasswordField } from './known-fields.ts';

/** What is asked of whoever makes an account, once the address is proven. */
export function accountFields({ terms }: Installation): Field[] {
  const fields = [nameField, { ...newPasswordField, label: 'A password' }];
  if (terms === undefined) return fields;
  const label = html`I accept ${nameTerms(terms)}.`;
  return [...fields, { kind: 'check', name: 'accepts_terms', label }];
}

/** With the way to them, where there is one. */
export function nameTerms({ version, url }: Terms): Html {
  const name = html`the terms of this service (version ${version})`;
  return url === undefined
    ? name
    : html`<a href="${url}" target="_blank" rel="noopener">${name}</a>`;
}
