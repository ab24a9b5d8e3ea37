import type { TextField } from './fields.ts';

/** Fields of several forms; password managers recognize them by `autocomplete`. */

export const emailField: TextField = {
  kind: 'email',
  name: 'email',
  label: 'Email address',
  autocomplete: 'username',
};

export const nameField: TextField = {
  kind: 'text',
  name: 'name',
  label: 'Your name',
  hint: 'The people you work with see this name.',
  autocomplete: 'name',
  maxLength: 200,
};

export function passwordField(
  field: Pick<TextField, 'label' | 'autocomplete'> & { readonly hint?: string },
): TextField {
  return { kind: 'password', name: 'password', ...field };
}

export const newPasswordField = passwordField({
  label: 'New password',
  autocomplete: 'new-password',
  hint: 'At least 8 characters. Several unrelated words make a strong password.',
});
