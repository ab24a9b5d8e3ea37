import { expect, it } from 'vitest';
import { mailboxOf } from './email-address.ts';

it.each([
  ['Ana@Example.com', 'ana@example.com'],
  ['ana+one@example.com', 'ana@example.com'],
  ['ana+one+two@example.com', 'ana@example.com'],
  ['ana@a+b.example', 'ana@a+b.example'],
  // Nothing would be left of it.
  ['+491234@example.com', '+491234@example.com'],
  ['+491234+one@example.com', '+491234@example.com'],
])('the mailbox of %s is %s', (email, mailbox) => {
  expect(mailboxOf(email)).toBe(mailbox);
});
