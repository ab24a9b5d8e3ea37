import { expect, it } from 'vitest';
import { withHttps } from './with-https.ts';

it.each([
  ['example.com', 'https://example.com'],
  [' www.example.com/about?x=1 ', 'https://www.example.com/about?x=1'],
  ['example.com:8080/show', 'https://example.com:8080/show'],
  ['münchen.example', 'https://münchen.example'],
  ['https://example.com', 'https://example.com'],
  ['HTTP://example.com', 'HTTP://example.com'],
  ['mailto:rosa@example.com', 'mailto:rosa@example.com'],
  ['rosa@example.com', 'rosa@example.com'],
  ['my website', 'my website'],
  ['example', 'example'],
  ['/about.html', '/about.html'],
  ['', ''],
])('makes of %j the address %j', (text, address) => {
  expect(withHttps(text)).toBe(address);
});
