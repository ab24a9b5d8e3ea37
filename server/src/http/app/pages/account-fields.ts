import type { Installation } from '../../../domain/context.ts';
import type { Field } from './fields.ts';
import { nameField, newPasswordField } from './known-fields.ts';

/** What is asked of whoever makes an account, once the address is proven. */
export function accountFields({ termsVersion }: Installation): Field[] {
  const fields = [nameField, { ...newPasswordField, label: 'A password' }];
  if (termsVersion === undefined) return fields;
  const label = `I accept the terms of this service (version ${termsVersion}).`;
  return [...fields, { kind: 'check', name: 'accepts_terms', label }];
}
