import { maxChars, passwordChars } from '../../../lib/limits.ts';
import type { PageWords } from '../../pages/page-words.ts';
import type { TextField } from './fields.ts';

/** Fields of several forms; password managers recognize them by `autocomplete`. */

export function emailField(words: PageWords): TextField {
  return {
    kind: 'email',
    name: 'email',
    label: words.say('Email address'),
    autocomplete: 'username',
  };
}

export function nameField(words: PageWords): TextField {
  return {
    kind: 'text',
    name: 'name',
    label: words.say('Your name'),
    hint: words.say('The people you work with see this name.'),
    autocomplete: 'name',
    maxLength: maxChars.userName,
  };
}

export function currentPasswordField(words: PageWords): TextField {
  return {
    kind: 'password',
    name: 'password',
    label: words.say('Password'),
    autocomplete: 'current-password',
  };
}

/** `label`: as the page calls it. */
export function newPasswordField(words: PageWords, label: string): TextField {
  return {
    kind: 'password',
    name: 'password',
    label,
    autocomplete: 'new-password',
    hint: words.say(
      'At least {min} characters. Several unrelated words make a strong password.',
      passwordChars,
    ),
  };
}
