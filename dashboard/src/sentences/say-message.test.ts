import { i18n } from '@lingui/core';
import { afterAll, expect, it } from 'vitest';
import { sayMessage } from './say-message.ts';

const words = { too_long: { id: 'a1B2c3', message: 'At most {limit, number} characters.' } };
const sent = {
  message: 'At most 2048 characters.',
  message_key: 'too_long',
  values: { limit: 2048 },
};

afterAll(() => i18n.activate('en'));

it('says a sentence in the language of the app, with its values', () => {
  i18n.loadAndActivate({
    locale: 'de',
    messages: { a1B2c3: ['Höchstens ', ['limit', 'number'], ' Zeichen.'] },
  });
  expect(sayMessage(words, sent)).toBe('Höchstens 2.048 Zeichen.');
});

it('uses the words of the server if the key is unknown or missing', () => {
  i18n.loadAndActivate({ locale: 'de', messages: {} });
  expect(sayMessage(words, { ...sent, message_key: 'new' })).toBe(sent.message);
  expect(sayMessage(words, { ...sent, message_key: 'constructor' })).toBe(sent.message);
  expect(sayMessage(words, { message: sent.message })).toBe(sent.message);
});

it('uses the words of the server in English', () => {
  i18n.loadAndActivate({ locale: 'en', messages: {} });
  expect(sayMessage(words, sent)).toBe(sent.message);
});
