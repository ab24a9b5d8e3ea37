import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { User } from '../../server/src/domain/foundation/accounts/index.ts';
import { findAudio } from '../../server/src/domain/publishing/audio/index.ts';
import type { Episode } from '../../server/src/domain/publishing/episodes/index.ts';
import { alignReplacementsJob } from '../../server/src/domain/publishing/replacements/index.ts';
import {
  findChapters,
  findTranscript,
  readSegments,
  removeTranscript,
  type Segment,
} from '../../server/src/domain/publishing/transcripts/index.ts';
import { makeEpisode, makePodcast, makeUser } from '../../server/test/make.ts';
import { soundFrameMs, soundFrames } from '../../server/test/make-sound.ts';
import { patience } from '../../server/test/patience.ts';
import { expectAccessibleScreens, expectAccessibleSteps } from './expect-accessible-screens.ts';
import { makeSegments, record } from './make-recording.ts';
import { type OpenDashboard, openDashboard, watchFailures } from './open-dashboard.ts';

let dashboard: OpenDashboard;
let user: User;
let episode: Episode;
let path: string;
const sound = soundFrames(1, 60);

beforeAll(async () => {
  dashboard = await openDashboard();
});
afterAll(() => dashboard[Symbol.asyncDispose]());

async function open(segments = makeSegments(60, 1000)): Promise<Page> {
  const { app, service } = dashboard;
  user = await makeUser(app.ctx);
  const show = await makePodcast(app.ctx, { owner: user, title: 'Night Signals' });
  episode = await makeEpisode(app.ctx, show, { status: 'draft' });
  await record(app, episode, sound, segments);
  path = `/app/shows/${show.id}/episodes/${episode.id}`;
  const page = await dashboard.signIn(user.email);
  await page.goto(service + path);
  return page;
}

const part = (page: Page, name: string) => page.getByRole('region', { name, exact: true });
const chapters = async () =>
  (await findChapters(dashboard.app.ctx, episode.id))?.map(({ startMs, title }) => [
    startMs,
    title,
  ]);

/** For what takes much of a processor: to read 10,000 segments. */
const seldom = { ...patience, interval: 500 };

async function segments() {
  const all: Segment[] = [];
  await readSegments(dashboard.app.ctx, episode.id, (some) => all.push(...some));
  return all;
}

it('edits chapters on the waveform, by keyboard, from a list, and undoes', async () => {
  const page = await open();
  const failures = watchFailures(page);
  const editor = part(page, 'Chapters');
  const marker = editor.getByRole('slider', { name: 'Start of The flood' });
  await marker.press('ArrowRight');
  await marker.press('Shift+ArrowRight');
  await expect.poll(chapters).toContainEqual([26_100, 'The flood']);

  // Dragged to the middle of the audio.
  const box = await editor.locator('canvas').boundingBox();
  const grip = await marker.boundingBox();
  if (box === null || grip === null) throw new Error('there is no waveform');
  await page.mouse.move(grip.x + grip.width / 2, grip.y + 5);
  await page.mouse.down();
  // The button is let go before the screen can have been drawn after the move.
  const devTools = await page.context().newCDPSession(page);
  const mouse = (type: 'mouseMoved' | 'mouseReleased') =>
    devTools.send('Input.dispatchMouseEvent', {
      ...{ type, x: box.x + box.width / 2, y: box.y + 20 },
      ...{ button: 'left', buttons: 1, clickCount: 1 },
    });
  await Promise.all([mouse('mouseMoved'), mouse('mouseReleased')]);
  await page.mouse.up();
  await expect
    .poll(async () => (await chapters())?.find(([, title]) => title === 'The flood')?.[0])
    .toSatisfy((ms: unknown) => Math.abs(Number(ms) - 30_000) < 500);
  await editor.getByRole('button', { name: 'Undo' }).click();
  await expect.poll(chapters).toContainEqual([26_100, 'The flood']);

  // Adds a chapter at the player's position; it has no title yet.
  const position = editor.getByRole('slider', { name: 'Position in the audio' });
  await position.press('Home');
  await position.press('l');
  // All parts of the screen play together.
  const inAudio = part(page, 'Audio').getByRole('slider', { name: 'Position in the audio' });
  expect(await inAudio.getAttribute('aria-valuenow')).toBe('10');
  await position.press('m');
  const title = editor.locator('li[data-selected]').getByLabel('Chapter title');
  await expect.poll(() => title.evaluate((field) => field.matches(':focus'))).toBe(true);
  const complaints = editor.getByText(/A chapter needs a title|can’t be saved|the same time/);
  expect(await complaints.allTextContents()).toEqual([]);
  await position.focus();
  await complaints.waitFor();
  await title.focus();
  await page.keyboard.type('Rain');
  await expect.poll(chapters).toContainEqual([10_000, 'Rain']);
  const start = editor.getByRole('textbox', { name: 'Start of Rain' });
  await start.fill('half past');
  await editor.getByText('Enter a time such as').waitFor();
  await start.fill('0:12.5');
  await start.press('Enter');
  await expect.poll(chapters).toContainEqual([12_500, 'Rain']);

  await editor.getByRole('button', { name: 'Paste a list' }).click();
  const dialog = page.getByRole('dialog');
  await dialog
    .getByLabel('Chapters')
    .fill(
      'Contents\n• 00:00 Start https://example.com/start\n(0:31) The flood\nLast words - 0:50\n9:00 Too late',
    );
  await dialog.getByText('3 chapters found.').waitFor();
  await dialog.getByText('1 line has no time').waitFor();
  await dialog.getByText('1 chapter starts after the end of the audio').waitFor();
  await dialog.locator('q').getByText('9:00 Too late').waitFor();
  await dialog.getByRole('button', { name: 'Replace chapters' }).click();
  const pasted = [
    [0, 'Start'],
    [31_000, 'The flood'],
    [50_000, 'Last words'],
  ];
  await expect.poll(chapters).toEqual(pasted);
  const [first, flood] = (await findChapters(dashboard.app.ctx, episode.id)) ?? [];
  expect(first?.linkUrl).toBe('https://example.com/start');
  expect(flood?.linkUrl).toBe('https://example.com/flood');
  await editor.getByRole('button', { name: 'From the audio file' }).click();
  await editor.getByText('The audio file contains no chapters.').waitFor();
  expect(failures).toEqual([]);
  await page.context().close();
});

it('takes a file of chapters, and saves none after the end of the audio', async () => {
  const page = await open();
  const editor = part(page, 'Chapters');
  await editor.getByText('Upload chapters…').click();
  const file = {
    version: '1.2.0',
    chapters: [
      { startTime: 0, title: 'From a file' },
      { startTime: 600, title: 'After the end' },
    ],
  };
  const choose = (content: object) =>
    editor.getByLabel('Choose a chapters file').setInputFiles({
      name: 'chapters.json',
      mimeType: 'application/json',
      buffer: Buffer.from(JSON.stringify(content)),
    });
  await choose({ version: '1.2.0' });
  const advice = editor.getByText('Choose another file, or a new version of this one.');
  await advice.waitFor();
  expect(await editor.getByRole('button', { name: 'Try again' }).count()).toBe(0);
  await choose(file);
  const late = editor.getByRole('textbox', { name: 'Start of After the end' });
  await late.waitFor();
  expect(await advice.count()).toBe(0);
  const row = editor
    .getByRole('listitem')
    .filter({ has: page.getByRole('textbox', { name: 'Start of After the end' }) });
  await row.getByText('It starts after the end of the audio.').waitFor();
  await editor.getByLabel('Chapter title').first().fill('Renamed');
  await editor.getByText('Some chapters can’t be saved as they are.').waitFor();
  await page.getByRole('status').getByText('Not saved: check the marked').waitFor();
  await late.fill('0:50');
  await late.press('Enter');
  await expect.poll(chapters).toEqual([
    [0, 'Renamed'],
    [50_000, 'After the end'],
  ]);
  await page.context().close();
});

it('reads a transcript without times, and names what it could not use', async () => {
  const page = await open();
  await removeTranscript(dashboard.app.ctx, episode.id);
  await page.reload();
  const editor = part(page, 'Transcript');
  const choose = (name: string, text: string) =>
    editor.getByLabel('Choose a transcript').setInputFiles({
      name,
      mimeType: 'text/plain',
      buffer: Buffer.from(text),
    });
  await choose('words.txt', 'Ana: Welcome.\n\nAna: Bees.\n');
  await editor.getByText('This transcript has no times.').waitFor();
  const words = editor.getByRole('textbox', { name: 'Text of paragraph 2' });
  expect(await words.inputValue()).toBe('Bees.');
  expect(await editor.getByRole('button', { name: /^Play from/ }).count()).toBe(0);
  await words.fill('Wasps.');
  await expect
    .poll(async () => (await findTranscript(dashboard.app.ctx, episode.id))?.segments[1]?.text)
    .toBe('Wasps.');
  await removeTranscript(dashboard.app.ctx, episode.id);
  await page.reload();
  await choose('odd.vtt', 'WEBVTT\n\n0:xx --> 1\nlost\n\n0.5 --> 2.5\nkept\n');
  await editor.getByText('1 part of the file couldn’t be used:').waitFor();
  await editor.getByText('0:xx --> 1 lost').waitFor();
  await page.context().close();
});

it('plays a word, corrects words, and renames a speaker everywhere', async () => {
  const page = await open(makeSegments(10_000, 6));
  const failures = watchFailures(page);
  const editor = part(page, 'Transcript');
  await editor.getByRole('textbox', { name: 'Text at 0:00' }).first().waitFor();
  expect(await editor.locator('textarea').count()).toBeLessThan(60);

  await editor.getByLabel('Search the transcript').fill('number 9876:');
  await editor.getByText('1 of 1').waitFor();
  const words = editor.locator('textarea[data-index="9876"]');
  await words.click();
  await expect
    .poll(() => editor.getByRole('slider').getAttribute('aria-valuenow'))
    .toSatisfy((seconds: unknown) => Number(seconds) >= 59);
  await words.fill('Nobody slept.');
  await words.blur();
  const textOf = async (index: number) => (await segments())[index]?.text;
  await expect.poll(() => textOf(9876), seldom).toBe('Nobody slept.');

  // A name may be longer than its field.
  await editor.getByTitle('Bo Lindqvist').first().waitFor();
  await editor.getByRole('button', { name: 'Speakers' }).click();
  await page.getByRole('dialog').getByLabel('Bo Lindqvist').fill('Bo Lund');
  await page.getByRole('button', { name: 'Rename everywhere' }).click();
  const named = async (name: string) =>
    (await segments()).filter(({ speaker }) => speaker === name).length;
  await expect.poll(() => named('Bo Lund'), seldom).toBe(6666);
  expect(await named('Bo Lindqvist')).toBe(0);
  await page.getByRole('status').getByText('Saved', { exact: true }).waitFor();
  expect(failures).toEqual([]);
  await page.context().close();
});

it('the recording dialogs are accessible in both schemes, narrow and wide', async () => {
  const page = await open();
  await page.context().close();
  const press = async (window: Page, name: string) =>
    await window.getByRole('button', { name, exact: true }).click();
  const dialog = (window: Page, name: string) => window.getByRole('dialog', { name }).waitFor();
  await expectAccessibleSteps(dashboard, user.email, path, [
    async (window) => {
      await press(window, 'Schedule…');
      await dialog(window, 'When should it appear?');
    },
    async (window) => {
      await press(window, 'More actions for The river');
      await window.getByRole('menuitem', { name: 'Delete' }).waitFor();
    },
    async (window) => {
      await press(window, 'Link');
      await dialog(window, 'Add a link');
    },
    async (window) => {
      await press(window, 'Paste a list');
      await dialog(window, 'Paste a list of chapters');
      await window.getByRole('dialog').getByLabel('Chapters').fill('0:00 Start\nno time');
    },
    async (window) => {
      await press(window, 'Speakers');
      await dialog(window, 'Speakers');
    },
    async (window) => {
      const preview = window.getByRole('textbox', { name: 'Private preview' });
      const make = window.getByRole('button', { name: 'Create preview link' });
      await preview.or(make).waitFor();
      if (await make.isVisible()) await make.click();
      await preview.waitFor();
    },
    async (window) => {
      await part(window, 'Chapters').getByText('Upload chapters…').click();
      await window.getByLabel('Choose a chapters file').waitFor({ state: 'attached' });
    },
  ]);
}, 300_000);

it('makes a transcript public, and lets co-hosts read it', async () => {
  const page = await open();
  const editor = part(page, 'Transcript');
  const read = async () =>
    (await page.request.get(`${dashboard.service}/app/api/episodes/${episode.id}`))
      .json()
      .then(({ data }) => [data.publish_transcript, data.share_transcript_with_cohosts]);
  await editor.getByText('Listeners don’t see this transcript yet.').waitFor();
  await editor.getByText('Public: on the episode’s page').click();
  await expect.poll(read).toEqual([true, false]);
  await editor.getByText('Shared with the team').click();
  await expect.poll(read).toEqual([true, true]);
  expect(await editor.getByText('Listeners don’t see').count()).toBe(0);
  await page.context().close();
});

it('shows what replaced audio does to chapters and transcript, and does it', async () => {
  const { app } = dashboard;
  const page = await open();
  const failures = watchFailures(page);
  const seconds = (from: number, to: number) =>
    sound.slice((from * 1000) / soundFrameMs, (to * 1000) / soundFrameMs);
  const edited = [...soundFrames(2, 12), ...seconds(0, 24), ...seconds(48, 60)];
  const audio = part(page, 'Audio');
  await audio.getByText('Replace audio…').click();
  const file = { name: 'edited.mp3', mimeType: 'audio/mpeg', buffer: Buffer.concat(edited) };
  await audio.getByLabel('Choose the new recording').setInputFiles(file);
  await audio.getByText('Comparing the new recording').waitFor();
  const tools = { signal: new AbortController().signal, enqueue: async () => undefined };
  await alignReplacementsJob.run(app.ctx, {}, tools);
  await audio.getByText('One part of the old recording was removed').waitFor();
  await audio.getByText('One chapter will be deleted').waitFor();
  await audio.getByRole('row', { name: 'The flood 0:25 deleted' }).waitFor();
  await audio.getByRole('row', { name: 'What came after 0:45 0:36' }).waitFor();
  await audio.getByText('24 segments will be deleted').waitFor();
  await expectAccessibleScreens(dashboard, user.email, [path]);
  // The person's own edits are no reason to refuse: those that are saved, and those that are not.
  await page.getByLabel('Subtitle').fill('A short one');
  await page.getByRole('status').getByText('Saved', { exact: true }).waitFor();
  await page.getByLabel('Subtitle').fill('A shorter one');
  await audio.getByRole('button', { name: 'Replace audio' }).click();
  await audio.getByText('Comparing the new').waitFor({ state: 'detached' });
  await audio.getByRole('button', { name: 'Replace audio' }).waitFor({ state: 'detached' });
  expect((await findAudio(app.ctx, episode.id))?.durationMs).toBe(48_000);
  expect((await chapters())?.map(([, title]) => title)).toEqual(['Welcome', 'What came after']);
  expect(await segments()).toHaveLength(36);
  await part(page, 'Chapters').getByRole('textbox', { name: 'Start of What came after' }).waitFor();
  expect(failures).toEqual([]);
  await page.context().close();
});
