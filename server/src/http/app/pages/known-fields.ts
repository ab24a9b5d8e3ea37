import type { TextField } from './fields.ts';

/** Fields that several forms have; password managers know them by their `autocomplete`. */

export const emailField: TextField = {
  kind: 'email',
  name: 'email',
  label: 'E-mail address',
  autocomplete: 'username',
};

export const nameField: TextField = {
  kind: 'text',
  name: 'name',
  label: 'Your name',
  hint: 'As the people you work with see it.',
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
  hint: 'At least 8 characters. A few words that nobody would guess are better than signs that nobody can remember.',
});

/** Asked for again before anything that gives or takes access. */
export const currentPasswordField: TextField = {
  kind: 'password',
  name: 'current_password',
  label: 'Your current password',
  autocomplete: 'current-password',
};
