import { describe, expect, it } from 'vitest';
import { listFollowLinks } from '../../server/src/lib/follow-apps.ts';
import { type PlayerElement, usePlayer } from './use-player.ts';

const scene = usePlayer();

describe('chapters', () => {
  it('chapters seek to their times, and mark the current one', async () => {
    await scene.open();
    await scene.button('Chapters').click();
    const rows = scene.player.locator('.rows button');
    await rows.first().waitFor();
    expect(await rows.allInnerTexts()).toEqual([
      expect.stringMatching(/^0:00\s+A falling note$/),
      expect.stringMatching(/^0:20\s+Along the field$/),
      expect.stringMatching(/^0:45\s+Why the low ones are late$/),
    ]);
    await rows.nth(1).click();
    expect(await scene.read('currentTime')).toBe(20);
    expect(await scene.player.locator('.rows [aria-current=true]').innerText()).toContain('Along');
    expect(await scene.player.locator('.times').innerText()).toContain('Along the field');
    expect(await scene.player.locator('.ticks i').count()).toBe(2);
  });

  it('chapters have images and links, with web addresses only', async () => {
    await scene.open();
    await scene.button('Chapters').click();
    const link = scene.player.getByRole('link', { name: 'Link: Along the field' });
    expect(await link.getAttribute('href')).toBe('https://example.com/field');
    expect(await link.getAttribute('rel')).toBe('noopener nofollow');
    expect(await scene.player.locator('.rows a').count()).toBe(1);
    expect(await scene.player.locator('.rows img').count()).toBe(1);
  });

  it('chapters have no image if it fails to load', async () => {
    scene.stage.failures.set('/images/', 404);
    await scene.open();
    await scene.button('Chapters').click();
    await scene.player.getByRole('link', { name: 'Link: Along the field' }).waitFor();
    await scene.player.locator('.rows img').waitFor({ state: 'detached' });
  });

  it('chapters have no button where there are none', async () => {
    scene.stage.episodes[0] = { ...scene.stage.newest, chapters_url: null, transcript: null };
    await scene.open();
    await scene.button('Share').click();
    expect(await scene.button('Chapters').isVisible()).toBe(false);
    expect(await scene.button('Transcript').isVisible()).toBe(false);
    expect(await scene.player.getByRole('tab').allInnerTexts()).toEqual(['Share']);
  });

  it('chapters have none if all of them are hidden', async () => {
    scene.stage.chapters = { chapters: [{ startTime: 0, title: 'Hidden', toc: false }] };
    await scene.open();
    await scene.button('Chapters').click();
    await scene.player.locator('.panel').waitFor({ state: 'hidden' });
    expect(await scene.button('Chapters').isVisible()).toBe(false);
  });

  it('chapters report a failure, and can be retried', async () => {
    scene.stage.failures.set('/chapters/', 500);
    await scene.open();
    await scene.button('Chapters').click();
    await scene.player.getByText('could not be loaded').waitFor();
    scene.stage.failures.clear();
    await scene.button('Try again').click();
    await scene.player.getByText('A falling note').first().waitFor();
  });
});

describe('the transcript', () => {
  const current = () => scene.player.locator('.words [aria-current=true]');

  it('loads when it is opened, and follows the audio', async () => {
    await scene.open(`episode="${scene.stage.newest.id}" start="25.1"`);
    await scene.startPlaying();
    expect(scene.stage.paths().filter((path) => path.includes('transcripts'))).toEqual([]);
    // Playback would pass these words while they load.
    await scene.button('Pause').click();
    await scene.button('Transcript').click();
    await current().getByText('At dusk it comes apart.').waitFor();
    await scene.player.evaluate((element) => {
      (element as PlayerElement).seek(29);
    });
    await scene.button('Play').click();
    await scene.waitForPosition(30.1);
    await current().getByText('And above it').waitFor();
    const speakers = await scene.player.locator('.words b').allInnerTexts();
    expect(speakers.slice(0, 3)).toEqual(['Ines Calloway', 'Tomas Reyl', 'Ines Calloway']);
    expect(await scene.player.locator('.words').innerText()).toContain('seven hours & a little');
  });

  it('loads once, even if chapters arrive meanwhile', async () => {
    await scene.open();
    const { promise, resolve } = Promise.withResolvers<void>();
    await scene.page.route('**/transcripts/*', async (route) => {
      await promise;
      await route.continue();
    });
    await scene.button('Transcript').click();
    await scene.player.getByRole('tab', { name: 'Chapters' }).click();
    await scene.player.getByText('A falling note').first().waitFor();
    await scene.player.getByRole('tab', { name: 'Transcript' }).click();
    resolve();
    await scene.player.getByText('At dusk it comes apart.').waitFor();
    expect(scene.stage.paths().filter((path) => path.includes('transcripts'))).toHaveLength(1);
  });

  it('the transcript without times is shown as text, and nothing in it seeks', async () => {
    const { transcript } = scene.stage.newest;
    const text = { ...transcript, url: transcript?.url ?? '', content_type: 'text/html' };
    scene.stage.episodes[0] = { ...scene.stage.newest, transcript: { language: 'en', ...text } };
    const body = '<cite>Ines:</cite><p>Noon &amp; dusk.</p><cite>Tomas:</cite><p>A mirror.</p>';
    await scene.open();
    await scene.page.route('**/transcripts/*', (route) => route.fulfill({ body }));
    await scene.button('Transcript').click();
    await scene.player.getByText('Noon & dusk.').click();
    expect(await scene.read('currentTime')).toBe(0);
    expect(await scene.player.locator('.words b').allInnerTexts()).toEqual(['Ines', 'Tomas']);
    expect(await scene.player.locator('.words [role=button]').count()).toBe(0);
    await scene.player.getByRole('searchbox').fill('mirror');
    await scene.player.getByText('1 of 1').waitFor();
  });

  it('seeks to the cue that is clicked', async () => {
    await scene.open();
    await scene.button('Transcript').click();
    await scene.player.getByText('At dusk it comes apart.').click();
    expect(await scene.read('currentTime')).toBe(25);
    expect(await current().innerText()).toBe('At dusk it comes apart.');
  });

  it('the transcript can be searched: marks, counts, next and previous', async () => {
    await scene.open();
    await scene.button('Transcript').click();
    const field = scene.player.getByRole('searchbox', { name: 'Search the transcript' });
    await field.fill('THE');
    const count = scene.player.locator('.count');
    await expect.poll(() => count.innerText()).toBe('1 of 7');
    await field.press('Enter');
    expect(await count.innerText()).toBe('2 of 7');
    await scene.button('Previous match').click();
    await scene.button('Previous match').click();
    expect(await count.innerText()).toBe('7 of 7');
    expect(await scene.player.locator('mark.here').innerText()).toBe('The');
    // A match that spans two cues.
    await field.fill('apart.  and above');
    await expect.poll(() => count.innerText()).toBe('1 of 1');
    expect(await scene.player.locator('mark.here').allInnerTexts()).toEqual([
      'apart.',
      'And above',
    ]);
    await field.fill('nobody says this');
    await expect.poll(() => count.innerText()).toBe('0 of 0');
    await field.fill('');
    await expect.poll(() => count.innerText()).toBe('');
    expect(await scene.player.locator('mark').count()).toBe(0);
  });

  it('searches after the last keystroke, or on Enter', async () => {
    await scene.open();
    await scene.button('Transcript').click();
    const field = scene.player.getByRole('searchbox');
    await field.waitFor();
    const counts = await scene.player.evaluateHandle(({ shadowRoot }) => {
      const seen: string[] = [];
      const note = (changes: MutationRecord[]) => {
        for (const { addedNodes } of changes) seen.push(`${addedNodes[0]?.textContent}`);
      };
      const count = shadowRoot!.querySelector('.count')!;
      new MutationObserver(note).observe(count, { childList: true });
      return seen;
    });
    const type = (letters: string[], last = '') =>
      field.evaluate(
        (input, [texts, key]) => {
          for (const text of texts) {
            (input as HTMLInputElement).value = text;
            input.dispatchEvent(new Event('input'));
          }
          if (key) input.dispatchEvent(new KeyboardEvent('keydown', { key }));
        },
        [letters, last] as const,
      );
    await type(['ai', 'air']);
    await expect.poll(() => counts.jsonValue()).toEqual(['1 of 3']);
    await type(['th', 'the'], 'Enter');
    expect(await counts.jsonValue()).toEqual(['1 of 3', '1 of 7']);
    await type(['t'], 'Enter');
    expect(await scene.player.locator('mark').count()).toBe(0);
    expect(await scene.player.locator('.count').innerText()).toBe('');
  });

  it('the transcript has no search field without words', async () => {
    await scene.open();
    await scene.page.route('**/transcripts/*', (route) => route.fulfill({ body: '<p>Sorry.' }));
    await scene.button('Transcript').click();
    await scene.player.locator('.panel').waitFor({ state: 'hidden' });
    expect(await scene.button('Transcript').isVisible()).toBe(false);
  });

  it('the transcript stays where the reader scrolled, until "Follow along"', async () => {
    await scene.open(`episode="${scene.stage.newest.id}" start="58"`);
    await scene.startPlaying();
    await scene.button('Transcript').click();
    await current().waitFor();
    const words = scene.player.locator('.words');
    await expect.poll(() => words.evaluate((element) => element.scrollTop)).toBeGreaterThan(20);
    expect(await scene.button('Follow along').isVisible()).toBe(false);
    await words.hover();
    await scene.page.mouse.wheel(0, -2000);
    await expect.poll(() => words.evaluate((element) => element.scrollTop)).toBe(0);
    await scene.button('Follow along').click();
    await expect.poll(() => words.evaluate((element) => element.scrollTop)).toBeGreaterThan(20);
    expect(await scene.button('Follow along').isVisible()).toBe(false);
  });

  it('stops following however the reader scrolls', async () => {
    await scene.open(`episode="${scene.stage.newest.id}" start="58"`);
    await scene.button('Transcript').click();
    const words = scene.player.locator('.words');
    const top = () => words.evaluate((element) => element.scrollTop);
    const lowest = await words.evaluate(
      ({ scrollHeight, clientHeight }) => scrollHeight - clientHeight,
    );
    await expect.poll(top).toBeGreaterThan(lowest - 2);
    expect(await scene.button('Follow along').isVisible()).toBe(false);
    await words.evaluate((element) => {
      element.scrollTop = 0;
    });
    await scene.button('Follow along').click();
    await expect.poll(top).toBeGreaterThan(lowest - 2);
    expect(await scene.button('Follow along').isVisible()).toBe(false);
  });

  it('the transcript never scrolls the page', async () => {
    await scene.openBody(
      `<podstead-player episode="${scene.stage.newest.id}" start="58"></podstead-player>
       <div style="height:3000px">The page goes on.</div>`,
    );
    await scene.button('Transcript').click();
    await current().waitFor();
    await scene.passFrames();
    expect(await scene.page.evaluate(() => scrollY)).toBe(0);
  });
});

describe('sharing an episode', () => {
  const field = (name: string) => scene.player.getByRole('textbox', { name, exact: true });

  it('gives the link, from the beginning or the current position', async () => {
    await scene.open(`episode="${scene.stage.newest.id}" start="42.7"`);
    await scene.button('Share').click();
    const page = `${scene.stage.service}/listen/night-signals/episode-3`;
    expect(await field('Link').inputValue()).toBe(page);
    await scene.player.getByLabel('Start at 0:42').check();
    expect(await field('Link').inputValue()).toBe(`${page}#t=42`);
    expect(await field('Embed code').inputValue()).toContain(
      `src="${scene.stage.newest.links.embed}#t=42"`,
    );
    // The chosen position stays while the audio plays on.
    await scene.button('Back 15 seconds').click();
    expect(await field('Link').inputValue()).toBe(`${page}#t=42`);
  });

  it('sharing copies the link', async () => {
    await scene.open(undefined, {
      context: { permissions: ['clipboard-read', 'clipboard-write'] },
    });
    await scene.button('Share').click();
    await scene.button('Copy: Link').click();
    await scene.button('Copied: Link').waitFor();
    expect(await scene.page.evaluate(() => navigator.clipboard.readText())).toBe(
      scene.stage.newest.links.listen,
    );
    await scene.button('Copy: Embed code').click();
    expect(await scene.page.evaluate(() => navigator.clipboard.readText())).toMatch(
      /^<iframe src=/,
    );
  });

  it('gives valid embed code for any title', async () => {
    const title = `"><script>alert('1')</script> & more`;
    scene.stage.episodes[0] = { ...scene.stage.newest, title };
    await scene.open();
    await scene.button('Share').click();
    const code = await field('Embed code').inputValue();
    const read = await scene.page.evaluate((html) => {
      const holder = new DOMParser().parseFromString(html, 'text/html').body;
      const frame = holder.firstElementChild as HTMLIFrameElement;
      return { count: holder.querySelectorAll('*').length, title: frame.title, src: frame.src };
    }, code);
    expect(read).toEqual({ count: 1, title, src: scene.stage.newest.links.embed });
  });

  it('links to the feed, and opens it in apps', async () => {
    await scene.open();
    await scene.button('Share').click();
    const feed = `${scene.stage.service}/feeds/night-signals.xml`;
    const { guid } = scene.stage.podcast;
    const links = scene.player.locator('ul.apps a');
    const onDesktop = listFollowLinks({ feed, guid }).filter(({ platforms }) =>
      platforms.includes('web'),
    );
    expect(await links.evaluateAll((all) => all.map((link) => link.getAttribute('href')))).toEqual([
      feed,
      ...onDesktop.slice(0, 8).map(({ url }) => url),
    ]);
  });
});

describe('a panel', () => {
  it('opens alone; its button, its cross and Escape close it', async () => {
    await scene.open();
    const panel = scene.player.locator('.panel');
    expect(await panel.isVisible()).toBe(false);
    await scene.button('Chapters').click();
    await scene.player.getByRole('tab', { name: 'Share' }).click();
    expect(await scene.button('Chapters').getAttribute('aria-expanded')).toBe('false');
    expect(await scene.button('Share').getAttribute('aria-expanded')).toBe('true');
    await scene.button('Share').click();
    expect(await panel.isVisible()).toBe(false);
    await scene.button('Transcript').click();
    await scene.button('Close').click();
    expect(await panel.isVisible()).toBe(false);
    await scene.button('Share').click();
    await scene.page.keyboard.press('Escape');
    expect(await panel.isVisible()).toBe(false);
  });

  it('a panel is behind one button where there is little room', async () => {
    await scene.open(undefined, { context: { viewport: { width: 296, height: 600 } } });
    expect(await scene.button('Chapters').isVisible()).toBe(false);
    await scene.button('More').click();
    await scene.player.getByRole('tab', { name: 'Transcript' }).click();
    await scene.player.getByText('At dusk it comes apart.').waitFor();
    await scene.button('More').click();
    expect(await scene.player.locator('.panel').isVisible()).toBe(false);
  });
});
