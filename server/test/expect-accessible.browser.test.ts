import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openTestBrowser, type TestBrowser } from '../../player/test/browser.ts';
import { expectAccessibleIn, expectAccessibleTwice } from './expect-accessible.ts';

let opened: TestBrowser;
let page: Page;
beforeAll(async () => {
  opened = await openTestBrowser();
  page = await opened.browser.newPage();
});
afterAll(() => opened[Symbol.asyncDispose]());

const sizes = [
  { width: 1280, height: 900 },
  { width: 390, height: 900 },
] as const;
const forFingers = { 'target-size': { enabled: true } };

/** Examines a page with this style, wide and then narrow. */
async function examine(style: string): Promise<void> {
  await show(style);
  await expectAccessibleTwice(page, sizes, forFingers);
}

async function show(style: string): Promise<void> {
  await page.setContent(`<!doctype html><html lang="en"><title>A page</title>
    <style>
      :root { color-scheme: light dark; background: light-dark(#fff, #111); color: light-dark(#111, #fff) }
      .narrow { display: none }
      @media (max-width: 600px) { .narrow { display: block } }
      .small { width: 40px; height: 40px }
      ${style}
    </style>
    <main><h1>A heading</h1><p>Some words.</p><p class="narrow">Others.</p>
    <button class="unnamed" hidden></button>
    <button class="small">+</button><button class="small">-</button></main>`);
}

const whenWide = (rules: string, scheme: string) =>
  `@media (min-width: 601px) and (prefers-color-scheme: ${scheme}) { ${rules} }`;
const whenNarrow = (rules: string, scheme?: string) =>
  `@media (max-width: 600px)${scheme ? ` and (prefers-color-scheme: ${scheme})` : ''} { ${rules} }`;

it('a page without faults is accessible at both widths', async () => {
  await examine('');
});

it.each([
  ['light colors', '@media (prefers-color-scheme: light) { p { color: #bbb } }', 'light 1280:'],
  ['dark colors', '@media (prefers-color-scheme: dark) { p { color: #444 } }', 'dark 1280:'],
  ['light colors of a narrow window', whenNarrow('p { color: #bbb }', 'light'), 'light 390:'],
  ['dark colors of a narrow window', whenNarrow('p { color: #444 }', 'dark'), 'dark 390:'],
  ['a background of a narrow window', whenNarrow('main { background: #777 }'), 'dark 390:'],
  ['what only a narrow window shows', '.narrow { color: #777; background: #888 }', 'dark 390:'],
  [
    'a button that only a narrow window shows',
    whenNarrow('.unnamed { display: block }'),
    'dark 390:',
  ],
  [
    'buttons that are small in a narrow window',
    whenNarrow('.small { width: 12px; height: 12px; padding: 0; overflow: hidden }'),
    'dark 390:',
  ],
  [
    'a part that is wider than a narrow window',
    'main { min-width: 500px }',
    'wider than its window',
  ],
])('a page is not accessible because of %s', async (_, style, found) => {
  await expect(examine(style)).rejects.toThrow(found);
});

it.each([
  ['light colors', sizes[0], 'light', whenWide('p { color: #bbb }', 'light'), 'light 1280:'],
  ['dark colors', sizes[1], 'dark', whenNarrow('p { color: #444 }', 'dark'), 'dark 390:'],
  [
    'small buttons',
    sizes[1],
    'light',
    whenNarrow('.small { width: 12px; height: 12px; padding: 0; overflow: hidden }'),
    'light 390:',
  ],
  ['a wide part', sizes[1], 'dark', 'main { min-width: 500px }', 'wider than its window'],
] as const)(
  'a page is not accessible in one window because of %s there',
  async (_, size, scheme, style, found) => {
    await show(style);
    const look = { size, scheme, withColors: true };
    await expect(expectAccessibleIn(page, look, forFingers)).rejects.toThrow(found);
  },
);
