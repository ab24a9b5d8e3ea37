import { expect, it } from 'vitest';
import { requireSameOrigin } from './same-origin.ts';

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
])('takes %o', (headers) => {
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
