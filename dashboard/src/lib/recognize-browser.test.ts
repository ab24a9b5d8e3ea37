import { expect, it } from 'vitest';
import { recognizeBrowser } from './recognize-browser.ts';

const webkit = 'AppleWebKit/605.1.15 (KHTML, like Gecko)';
const chrome = 'AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0';

it.each([
  ['Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0', ['Firefox', 'Linux']],
  [`Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${chrome} Safari/537.36`, ['Chrome', 'Windows']],
  [
    `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${chrome} Safari/537.36 Edg/140.0`,
    ['Edge', 'Windows'],
  ],
  [`Mozilla/5.0 (X11; CrOS x86_64 14541.0.0) ${chrome} Safari/537.36`, ['Chrome', 'ChromeOS']],
  [`Mozilla/5.0 (Linux; Android 15; K) ${chrome} Mobile Safari/537.36`, ['Chrome', 'Android']],
  [
    `Mozilla/5.0 (Linux; Android 15; SM-S921B) ${chrome} SamsungBrowser/28.0 Mobile Safari/537.36`,
    ['Samsung Internet', 'Android'],
  ],
  [
    `Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) ${webkit} Version/19.0 Safari/605.1.15`,
    ['Safari', 'macOS'],
  ],
  [
    `Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) ${webkit} Version/19.0 Mobile/15E148 Safari/604.1`,
    ['Safari', 'iPhone'],
  ],
  [
    `Mozilla/5.0 (iPad; CPU OS 19_0 like Mac OS X) ${webkit} CriOS/140.0 Mobile/15E148 Safari/604.1`,
    ['Chrome', 'iPad'],
  ],
  ['curl/8.7.1', ['curl', undefined]],
  ['SomethingElse/1.0 (Linux)', [undefined, 'Linux']],
  ['Podstead-test', [undefined, undefined]],
  ['', [undefined, undefined]],
  [null, [undefined, undefined]],
])('recognizes %j', (userAgent, [browser, system]) => {
  expect(recognizeBrowser(userAgent)).toEqual({ browser, system });
});
