import { expect, it } from 'vitest';
import { findPageAtBase, requireSameOrigin } from './same-origin.ts';

const check = (headers: Record<string, string>) => () =>
  requireSameOrigin(headers, {
    baseUrl: 'https://cast.example',
    embedUrl: 'https://embed.example',
  });

it.each([
  { origin: 'https://cast.example' },
  { origin: 'https://cast.example', 'sec-fetch-site': 'same-origin' },
  { origin: 'https://embed.example' },
  { origin: 'https://cast.example', host: 'other.example' },
])('a request with %o counts as one of the same origin', (headers) => {
  expect(check(headers)).not.toThrow();
});

it.each([
  {},
  { origin: 'null' },
  { origin: 'null', 'sec-fetch-site': 'same-origin' },
  { origin: '' },
  { origin: 'http://cast.example' },
  { origin: 'https://cast.example:8443' },
  { origin: 'https://cast.example.evil.example' },
  { origin: 'https://evil.example', 'sec-fetch-site': 'same-origin' },
  { origin: 'https://evil.example', host: 'cast.example' },
  { origin: 'http://cast.example', host: 'cast.example' },
  { origin: 'https://undefined' },
  { origin: 'http://evil.example', host: 'evil.example' },
  { origin: 'https://evil.example', host: 'evil.example', 'sec-fetch-site': 'same-origin' },
  { host: 'cast.example', 'sec-fetch-site': 'same-origin' },
  { 'sec-fetch-site': 'same-origin' },
  { 'sec-fetch-site': 'same-site' },
  { 'sec-fetch-site': 'cross-site' },
  { 'sec-fetch-site': 'none' },
  { referer: 'https://cast.example/app' },
])('refuses %o', (headers) => {
  expect(check(headers as Record<string, string>)).toThrow('https://cast.example');
});

const atLocalhost = { baseUrl: 'http://localhost:3900', embedUrl: 'http://localhost:3900' };
const atPort80 = { baseUrl: 'http://127.0.0.1', embedUrl: 'http://127.0.0.1' };
const atTwoNames = { ...atLocalhost, embedUrl: 'http://127.0.0.1:3900' };
const inPublic = { baseUrl: 'https://cast.example', embedUrl: 'https://cast.example' };

it.each([
  [atLocalhost, '127.0.0.1:3900', 'http://localhost:3900/app/sign-up?next=%2Fapp'],
  [atLocalhost, '[::1]:3900', 'http://localhost:3900/app/sign-up?next=%2Fapp'],
  [atPort80, 'localhost', 'http://127.0.0.1/app/sign-up?next=%2Fapp'],
  [atPort80, 'localhost:80', 'http://127.0.0.1/app/sign-up?next=%2Fapp'],
  [atLocalhost, 'localhost:3900', undefined],
  [atLocalhost, 'LOCALHOST:3900', undefined],
  [atLocalhost, '127.0.0.1:8080', undefined],
  [atLocalhost, '192.168.0.7:3900', undefined],
  [atLocalhost, 'cast.example:3900', undefined],
  [atLocalhost, 'localhost.evil.example:3900', undefined],
  [atLocalhost, undefined, undefined],
  [atLocalhost, '', undefined],
  [atTwoNames, '127.0.0.1:3900', undefined],
  [inPublic, '127.0.0.1', undefined],
  [inPublic, 'localhost:443', undefined],
])('another name of the machine redirects to the base URL: %j, Host %s', (hosts, host, place) => {
  const request = { url: '/app/sign-up?next=%2Fapp', headers: host === undefined ? {} : { host } };
  expect(findPageAtBase(request, hosts)).toBe(place);
});

it('a request redirects nowhere else, whatever the path', () => {
  const headers = { host: '127.0.0.1:3900' };
  const place = findPageAtBase({ url: '//evil.example/app', headers }, atLocalhost);
  expect(place).toBe('http://localhost:3900//evil.example/app');
  expect(findPageAtBase({ url: 'http://evil.example/app', headers }, atLocalhost)).toBeUndefined();
  expect(findPageAtBase({ url: '@evil.example/app', headers }, atLocalhost)).toBeUndefined();
});
