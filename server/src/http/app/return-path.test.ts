import { expect, it } from 'vitest';
import { readReturnPath } from './return-path.ts';

it.each([
  '/app/settings/keys',
  '/app',
  '/app/invitations?token=abc',
  '/connect?site_url=https%3A%2F%2Fblog.example%2F',
])('returns to %s', (path) => {
  expect(readReturnPath(path)).toBe(path);
});

it.each([
  undefined,
  '',
  ['/app', '/app/x'],
  'https://evil.example/app',
  '//evil.example/app',
  '/\\evil.example/app',
  '\\\\evil.example/app',
  '/\t/evil.example/app',
  'javascript:alert(1)',
  '/app/../listen/x',
  '/application',
  '/app/api/keys',
  '/listen/x',
  'http://[',
])('readReturnPath does not return to %j', (text) => {
  expect(readReturnPath(text)).toBe('/app');
});

it('keeps control characters out of a header', () => {
  expect(readReturnPath('/app/x\r\nSet-Cookie: a=b')).toBe('/app/xSet-Cookie:%20a=b');
});
