import { describe, expect, it } from 'vitest';
import { createSessionCookie } from './session-cookie.ts';

const secure = createSessionCookie('https://cast.example');
const plain = createSessionCookie('http://localhost:3000');
const end = new Date('2026-04-09T12:00:00Z');

describe('the session cookie', () => {
  it('the session cookie is for this host only, and hidden from scripts', () => {
    expect(secure.keep('abc', end)).toBe(
      '__Host-podstead_session=abc; Expires=Thu, 09 Apr 2026 12:00:00 GMT; Path=/; HttpOnly; SameSite=Lax; Secure',
    );
    expect(secure.clear).toBe(
      '__Host-podstead_session=; Max-Age=0; Path=/; HttpOnly; SameSite=Lax; Secure',
    );
  });

  it('the session cookie works without TLS, under a name that browsers accept there', () => {
    expect(plain.keep('abc', end)).toMatch(/^podstead_session=abc; (?!.*Secure)/);
    expect(plain.clear).toMatch(/^podstead_session=; Max-Age=0; (?!.*Secure)/);
  });

  it.each([
    ['__Host-podstead_session=abc', 'abc'],
    ['a=1; __Host-podstead_session=abc; b=2', 'abc'],
    ['a=1;__Host-podstead_session=a=b', 'a=b'],
    ['__Host-podstead_session=', ''],
    ['podstead_session=abc', undefined],
    ['x__Host-podstead_session=abc', undefined],
    ['__Host-podstead_session', undefined],
    ['', undefined],
    [undefined, undefined],
  ])('the session cookie is found in %j', (header, token) => {
    expect(secure.find(header)).toBe(token);
  });
});
