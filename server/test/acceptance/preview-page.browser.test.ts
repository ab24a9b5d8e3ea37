import { afterAll, beforeAll, expect, it } from 'vitest';
import { attachTone } from '../../src/domain/publishing/audio/index.ts';
import { drawWaveforms } from '../../src/domain/publishing/audio/waveforms/draw-waveforms.ts';
import { updateEpisode } from '../../src/domain/publishing/episodes/index.ts';
import { setChapters, setTranscript } from '../../src/domain/publishing/transcripts/index.ts';
import { createBrowser } from '../create-browser.ts';
import { makeEpisode, makePodcast, makeUser } from '../make.ts';
import { type ServedApp, serveToBrowser } from '../serve-to-browser.ts';

let served: ServedApp;
beforeAll(async () => {
  served = await serveToBrowser();
});
afterAll(() => served[Symbol.asyncDispose]());

/** The preview of a draft, as a guest opens it. */
async function openPreview(fill: (episodeId: string) => Promise<unknown>) {
  const { app, browser, service } = served;
  const owner = await makeUser(app.ctx);
  const show = await makePodcast(app.ctx, { owner, status: 'draft' });
  const { id } = await makeEpisode(app.ctx, show, {
    status: 'draft',
    title: 'Not yet </script> out',
  });
  await attachTone(app.ctx, id, 30);
  await drawWaveforms(app.ctx, new AbortController().signal);
  await fill(id);
  const member = createBrowser(app, { headers: { origin: service } });
  await member.signIn(owner.email);
  const link = await member.send('POST', `/app/api/episodes/${id}/preview-link`, {});
  const page = await browser.newPage();
  const complaints: string[] = [];
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()));
  const paths: string[] = [];
  page.on('request', (request) => paths.push(new URL(request.url()).pathname));
  const { url } = link.json().data;
  await page.goto(url);
  const player = page.locator('podstead-player');
  return { page, player, complaints, paths, path: new URL(url).pathname };
}

it('plays a draft in the player of its listen page, with chapters, transcript and waveform', async () => {
  const { page, player, complaints, paths, path } = await openPreview(async (id) => {
    await updateEpisode(served.app.ctx, id, { publishTranscript: true });
    await setChapters(served.app.ctx, id, [
      { startMs: 0, title: 'Opening' },
      { startMs: 20_000, title: 'Dawn' },
    ]);
    await setTranscript(served.app.ctx, id, {
      language: 'en',
      segments: [{ startMs: 0, endMs: 900, speaker: 'Ada', text: 'Good evening' }],
      wordCount: 2,
      durationMs: 900,
    });
  });
  await player.getByRole('button', { name: 'Play' }).click();
  const playing = () => page.evaluate("document.querySelector('podstead-player').currentTime");
  await expect.poll(playing).toBeGreaterThan(0);
  await player.getByRole('button', { name: 'More' }).click();
  await player.getByRole('tab', { name: 'Chapters' }).click();
  await player.getByRole('button', { name: /Dawn/ }).click();
  await expect.poll(playing).toBeGreaterThanOrEqual(20);
  await player.getByRole('tab', { name: 'Transcript' }).click();
  await player.getByText('Good evening').waitFor();
  expect(await player.getByRole('tab', { name: 'Share' }).count()).toBe(0);
  // Nothing of it is public, so nothing public was requested, and no download counts.
  for (const file of ['audio', 'chapters.json', 'transcript.vtt', 'waveform.json']) {
    expect(paths).toContain(`${path}/${file}`);
  }
  expect(
    paths.filter((each) => /^\/(v1|media|chapters|transcripts|waveforms)\//.test(each)),
  ).toEqual([]);
  expect(complaints).toEqual([]);
  await page.close();
});

it('offers no panel where there is nothing to open', async () => {
  const { page, player, complaints } = await openPreview(async () => undefined);
  await player.getByText('Not yet </script> out').waitFor();
  expect(await player.getByRole('button', { name: 'More' }).count()).toBe(0);
  expect(complaints).toEqual([]);
  await page.close();
});
