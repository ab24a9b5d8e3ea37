import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { readEpisodeDraft } from '../../server/src/domain/publishing/episodes/index.ts';
import { makeEpisode, makePodcast, makeUser } from '../../server/test/make.ts';
import { type OpenDashboard, openDashboard, watchFailures } from './open-dashboard.ts';

let dashboard: OpenDashboard;
beforeAll(async () => {
  dashboard = await openDashboard();
});
afterAll(() => dashboard[Symbol.asyncDispose]());

async function setUp(showNotesHtml: string | null = null) {
  const { app, service } = dashboard;
  const ann = await makeUser(app.ctx);
  const podcast = await makePodcast(app.ctx, { owner: ann });
  const input = { status: 'draft' as const, title: 'First light', description: '', showNotesHtml };
  const { id } = await makeEpisode(app.ctx, podcast, input);
  const stored = () =>
    readEpisodeDraft({ ...app.ctx, principal: { kind: 'user', userId: ann.id } }, id);
  const page = await dashboard.signIn(ann.email);
  const failures = watchFailures(page);
  await page.goto(`${service}/app/shows/${podcast.id}/episodes/${id}`);
  await notes(page).waitFor();
  return { page, failures, stored };
}

const notes = (page: Page) => page.getByRole('textbox', { name: 'Show notes' });
const source = (page: Page) => page.getByRole('textbox', { name: 'Show notes as HTML' });
const showSource = (page: Page) => page.getByRole('button', { name: 'Source (HTML)' }).click();

/** As if the person had copied this elsewhere. */
async function paste(page: Page, html: string): Promise<void> {
  await notes(page).click();
  // Where the focus is: in the editor, or in what stands there until it is loaded.
  await page.evaluate((text) => {
    const clipboardData = new DataTransfer();
    clipboardData.setData('text/html', text);
    const event = new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true });
    document.activeElement?.dispatchEvent(event);
  }, html);
}

const link = (address: string, words: string) =>
  `<a href="${address}" rel="nofollow noopener">${words}</a>`;

it('formats with the keyboard alone, and the description follows', async () => {
  const { page, failures, stored } = await setUp();
  await notes(page).focus();
  await page.keyboard.press('ControlOrMeta+b');
  await page.keyboard.type('Hello');
  await page.keyboard.press('ControlOrMeta+b');
  await page.keyboard.type(' world');
  // The toolbar is one stop; arrows continue in it.
  await page.keyboard.press('Shift+Tab');
  expect(await focusedName(page)).toBe('Source (HTML)');
  for (let presses = 0; presses < 20; presses += 1) {
    if ((await focusedName(page)) === 'List') break;
    await page.keyboard.press('ArrowLeft');
  }
  await page.keyboard.press('Enter');
  // The focus goes back with the next frame.
  await page.waitForFunction(() => document.activeElement?.role === 'textbox');
  await page.keyboard.type('!');
  const html = '<ul><li><strong>Hello</strong> world!</li></ul>';
  await expect.poll(async () => (await stored()).showNotesHtml).toBe(html);
  expect((await stored()).description).toBe('- Hello world!');
  expect(failures).toEqual([]);
  await page.context().close();
});

it('keeps the focus in the toolbar while the editor opens', async () => {
  const { page, stored } = await setUp();
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  await page.route('**/notes-editor-*.js', async (route) => {
    await released;
    await route.continue();
  });
  await notes(page).focus();
  await page.keyboard.type('Hello');
  await page.getByRole('button', { name: 'List', exact: true }).focus();
  release();
  await page.locator('.tiptap').getByText('Hello').waitFor();
  expect(await focusedName(page)).toBe('List');
  await page.keyboard.press('Enter');
  await page.waitForFunction(() => document.activeElement?.role === 'textbox');
  await page.keyboard.type('!');
  const html = '<ul><li>Hello!</li></ul>';
  await expect.poll(async () => (await stored()).showNotesHtml).toBe(html);
  await page.context().close();
});

const focusedName = (page: Page) =>
  page.evaluate(() => document.activeElement?.getAttribute('aria-label'));

it('sets, changes and removes a link', async () => {
  const { page, stored } = await setUp();
  await notes(page).click();
  await page.keyboard.type('See ');
  const button = page.getByRole('button', { name: 'Link', exact: true });
  await button.click();
  await page.getByRole('dialog').getByLabel('URL or email address').fill('not an address');
  await page.getByRole('button', { name: 'Save link' }).click();
  await page.getByText('Enter a URL or an email address.').waitFor();
  await page.getByRole('dialog').getByLabel('URL or email address').fill('example.com/a');
  await page.getByLabel('Link text').fill('this page');
  await page.getByRole('button', { name: 'Save link' }).click();
  const html = `<p>See ${link('https://example.com/a', 'this page')}</p>`;
  await expect.poll(async () => (await stored()).showNotesHtml).toBe(html);
  await button.click();
  await page.getByRole('button', { name: 'Remove link' }).click();
  await expect.poll(async () => (await stored()).showNotesHtml).toBe('<p>See this page</p>');
  await page.context().close();
});

const pasted = [
  [
    'Google Docs',
    `<meta charset="utf-8"><b style="font-weight:normal;" id="docs-internal-guid-1"><p dir="ltr" style="line-height:1.38"><span style="font-size:11pt;font-weight:700">Guests</span><span style="font-size:11pt"> and </span><span style="font-style:italic">more</span></p><ul style="margin:0"><li dir="ltr" style="list-style-type:disc"><p dir="ltr"><a href="https://example.com/" style="text-decoration:none"><span style="text-decoration:underline;color:#1155cc">Ann</span></a></p></li></ul></b>`,
    `<p><strong>Guests</strong> and <em>more</em></p>\n<ul><li>${link('https://example.com/', 'Ann')}</li></ul>`,
  ],
  [
    'Word',
    `<html xmlns:o="urn:schemas-microsoft-com:office:office"><head><style>p{color:red}</style></head><body><!--StartFragment--><h1>Today<o:p></o:p></h1><p class=MsoListParagraphCxSpFirst style='text-indent:-18.0pt;mso-list:l0 level1 lfo1'><![if !supportLists]><span style='font-family:Symbol'><span style='mso-list:Ignore'>·<span style='font:7.0pt "Times New Roman"'>&nbsp;&nbsp; </span></span></span><![endif]>One<o:p></o:p></p><p class=MsoListParagraphCxSpLast style='mso-list:l0 level2 lfo1'><span style='mso-list:Ignore'>1.<span>&nbsp; </span></span>Deeper</p><p class=MsoNormal>Then <b>bold</b></p><!--EndFragment--></body></html>`,
    '<h2>Today</h2>\n<ul><li>One<ol><li>Deeper</li></ol></li></ul>\n<p>Then <strong>bold</strong></p>',
  ],
  [
    'a page',
    `<article><h1>Title</h1><script>alert(1)</script><p onclick="x()">Text <font color=red>red</font> <a href="javascript:alert(1)">bad</a></p><iframe src="https://example.com"></iframe><table><tr><td>a</td><td>b</td></tr></table></article>`,
    '<h2>Title</h2>\n<p>Text red bad</p>\n<table><tbody><tr><td>a</td><td>b</td></tr></tbody></table>',
  ],
] as const;

it('cleans what was copied from Google Docs, Word and a page', async () => {
  const { page, failures, stored } = await setUp();
  for (const [origin, html, expected] of pasted) {
    await paste(page, html);
    await expect
      .poll(async () => (await stored()).showNotesHtml, { message: origin })
      .toBe(expected);
    await notes(page).press('ControlOrMeta+a');
    await notes(page).press('Delete');
    await expect.poll(async () => (await stored()).showNotesHtml, { message: origin }).toBe(null);
  }
  expect(failures).toEqual([]);
  await page.context().close();
});

it('shows the source, which goes there and back, and says what it cannot hold', async () => {
  const html = '<h2>Notes</h2>\n<dl><dt>a</dt><dd>b</dd></dl>\n<p>x<sup>2</sup></p>';
  const { page, stored } = await setUp(html);
  await showSource(page);
  expect(await source(page).inputValue()).toBe(html);
  await source(page).fill(`${html}<marquee>fast</marquee>`);
  await page.getByText('Show notes can’t contain <marquee>', { exact: false }).waitFor();
  await showSource(page);
  await notes(page).getByText('fast').waitFor();
  await expect.poll(async () => (await stored()).showNotesHtml).toBe(`${html}fast`);
  await page.context().close();
});

it('the editor does not change notes that nobody edits', async () => {
  const html = '<div><p>Old&nbsp;notes</p></div>\n\n<p></p><ul>\n<li>one</li></ul>';
  const { page, stored } = await setUp(html);
  const before = await stored();
  await page.getByLabel('Subtitle').fill('A subtitle');
  await expect.poll(async () => (await stored()).subtitle).toBe('A subtitle');
  expect(await stored()).toMatchObject({
    showNotesHtml: before.showNotesHtml,
    description: before.description,
  });
  await page.context().close();
});

it('shows times in the text as what listeners can press', async () => {
  const { page } = await setUp('<p>At 1:05 and in 2026, 12:30 pm</p>');
  await expect
    .poll(() => notes(page).locator('[data-timestamp]').allTextContents())
    .toEqual(['1:05']);
  await page.context().close();
});

it('loads the editor for those who write, and keeps what they write meanwhile', async () => {
  const { page, failures, stored } = await setUp('<p>One two</p><p>Three</p>');
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  let loads = 0;
  await page.route(/\/notes-editor-/, async (route) => {
    loads += 1;
    await released;
    await route.continue();
  });
  await page.getByLabel('Subtitle').focus();
  await page.evaluate(() => new Promise((resolve) => requestIdleCallback(resolve)));
  expect(loads).toBe(0);
  const shown = await boxOf(page);
  await notes(page)
    .getByText('One two')
    .click({ position: { x: 1, y: 5 } });
  await page.keyboard.press('End');
  await page.keyboard.type(' and');
  await page.keyboard.press('ControlOrMeta+i');
  await page.keyboard.type(' no');
  await page.keyboard.press('Backspace');
  await page.keyboard.type('ew');
  expect(loads).toBe(1);
  release();
  await notes(page).getByText('new').waitFor();
  expect(await boxOf(page)).toEqual(shown);
  await page.keyboard.type('er');
  const html = '<p>One two and<em> newer</em></p>\n<p>Three</p>';
  await expect.poll(async () => (await stored()).showNotesHtml).toBe(html);
  expect(failures).toEqual([]);
  await page.context().close();
});

/** On the page, wherever it is scrolled to. */
const boxOf = (page: Page) =>
  notes(page).evaluate((element) => {
    const { left, top, width, height } = element.getBoundingClientRect();
    return [left, top + scrollY, width, height].map(Math.round);
  });
