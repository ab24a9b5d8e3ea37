import { describe, expect, it } from 'vitest';
import { anEpisode } from './show.ts';
import { usePlayer } from './use-player.ts';

const scene = usePlayer();
const press = async (...keys: string[]) => {
  for (const key of keys) await scene.page.keyboard.press(key);
};
/** The focused element inside the player. */
const focused = () =>
  scene.player.evaluate(({ shadowRoot }) => {
    const element = shadowRoot?.activeElement;
    return element?.getAttribute('aria-label') ?? element?.textContent ?? '';
  });

describe('the keyboard alone', () => {
  it('Tab reaches every control, the play button first', async () => {
    await scene.open();
    await scene.player.getByText('Whistlers,').waitFor();
    const order: string[] = [];
    for (let i = 0; i < 13; i += 1) {
      await press('Tab');
      order.push(await focused());
    }
    expect(order).toEqual([
      'Night Signals',
      'Podstead',
      'Whistlers, and why the low ones are late',
      'Play',
      'Back 15 seconds',
      'Forward 30 seconds',
      'Speed',
      'Mute',
      'Volume',
      'Chapters',
      'Transcript',
      'Share',
      'Position',
    ]);
  });

  it('an episode plays, seeks and pauses', async () => {
    await scene.open();
    await scene.button('Play').focus();
    await press('Enter');
    await scene.waitForPosition(0.1);
    await press('Space');
    await scene.button('Play').waitFor();
    await press('k');
    await scene.button('Pause').waitFor();
    await press('k');
    await scene.button('Play').waitFor();
    await press('0', 'l');
    expect(await scene.read('currentTime')).toBe(30);
    await press('j', 'ArrowRight');
    expect(await scene.read('currentTime')).toBe(20);
    await press('5');
    expect(await scene.read('currentTime')).toBeCloseTo(30);
    await press('>', '>');
    expect(await scene.read('playbackRate')).toBe(1.5);
    await press('<');
    expect(await scene.read('playbackRate')).toBe(1.25);
    await press('ArrowDown', 'ArrowDown');
    expect(await scene.read('volume')).toBeCloseTo(0.8);
    await press('m');
    expect(await scene.button('Mute').getAttribute('aria-pressed')).toBe('true');
  });

  it('the timeline moves five seconds at a time', async () => {
    await scene.open();
    await scene.slider.focus();
    await press('ArrowRight', 'ArrowRight', 'ArrowLeft');
    expect(await scene.read('currentTime')).toBe(5);
    await press('End');
    expect(await scene.read('currentTime')).toBe(60);
    await press('Home');
    await press('PageUp');
    expect(await scene.read('currentTime')).toBeGreaterThan(2);
    await press('Home', 'Space');
    await scene.button('Pause').waitFor();
  });

  it('tabs, cues and search work, and Escape closes them', async () => {
    await scene.open();
    await scene.button('Chapters').focus();
    await press('Enter', 'Tab', 'Tab', 'Tab', 'Tab');
    expect(await focused()).toBe('Chapters');
    await scene.player.getByText('A falling note').first().waitFor();
    await press('ArrowRight');
    expect(await focused()).toBe('Transcript');
    await scene.player.getByText('At dusk it comes apart.').waitFor();
    await press('Tab', 'Tab');
    expect(await focused()).toBe('Search the transcript');
    await scene.page.keyboard.type('k5 ');
    expect(await scene.read('currentTime')).toBe(0);
    await press('Tab', 'Tab', 'Tab');
    expect(await focused()).toContain('At noon');
    await press('ArrowDown', 'ArrowDown');
    expect(await focused()).toContain('What swallows');
    await press('Enter');
    expect(await scene.read('currentTime')).toBe(15);
    await press('Escape');
    expect(await scene.player.locator('.panel').isVisible()).toBe(false);
    expect(await focused()).toBe('Transcript');
  });

  it('Home and End work only on the timeline and the tabs', async () => {
    await scene.open();
    await scene.button('Chapters').focus();
    await press('Enter', 'l', 'End', 'Home');
    expect(await scene.read('currentTime')).toBe(30);
    await scene.player.getByRole('tab', { name: 'Chapters' }).focus();
    await press('End');
    expect(await focused()).toBe('Share');
    await press('Home');
    expect(await focused()).toBe('Chapters');
    await press('ArrowLeft', 'ArrowRight', 'ArrowRight');
    expect(await focused()).toBe('Transcript');
    expect(await scene.read('currentTime')).toBe(30);
  });

  it('a playlist can be navigated', async () => {
    await scene.open('podcast="night-signals" playlist');
    await scene.player.locator('.list .rows button').nth(1).focus();
    await press('Enter');
    await scene.waitForPosition(0.1);
    expect(await scene.player.locator('.title').innerText()).toBe('Dusk on the dial');
  });
});

describe('the focus stays in the player', () => {
  it('the focus stays in the player when the transcript follows again', async () => {
    await scene.open();
    await scene.button('Transcript').click();
    await scene.player.getByText('At noon').focus();
    await press('ArrowDown', 'Tab');
    expect(await focused()).toBe('Follow along');
    await press('Enter');
    expect(await focused()).toContain('At noon');
  });

  it('the focus stays in the player when a failed request is retried', async () => {
    scene.stage.failures.set('/v1/', 503);
    await scene.open();
    await scene.button('Try again').focus();
    scene.stage.failures.clear();
    await scene.page.keyboard.press('Enter');
    await scene.player.getByText('Whistlers,').waitFor();
    expect(await focused()).toBe('Play');
  });

  it('the focus stays in the player when the last page of the playlist has loaded', async () => {
    scene.stage.episodes = Array.from({ length: 60 }, (_, i) =>
      anEpisode(scene.stage.service, 60 - i),
    );
    await scene.open('podcast="night-signals" playlist="3"');
    await scene.button('More episodes').focus();
    await scene.page.keyboard.press('Enter');
    await expect.poll(focused).toMatch(/^Signal number 10/);
  });

  it('the focus stays in the player when an empty panel closes', async () => {
    scene.stage.chapters = { chapters: [{ startTime: 0, title: 'Hidden', toc: false }] };
    await scene.open();
    await scene.button('Chapters').focus();
    await scene.page.keyboard.press('Enter');
    await scene.player.locator('.panel').waitFor({ state: 'hidden' });
    expect(await focused()).toBe('Play');
  });
});

it('ignores keys of the page, and keys with a modifier', async () => {
  await scene.openBody(
    `<textarea></textarea><podstead-player episode="${scene.stage.newest.id}"></podstead-player>`,
  );
  await scene.player.getByText('Whistlers,').waitFor();
  await scene.page.locator('textarea').focus();
  await scene.page.keyboard.type('k l5');
  expect(await scene.page.locator('textarea').inputValue()).toBe('k l5');
  await scene.button('Play').focus();
  await press('Control+l', 'Alt+ArrowRight', 'Meta+k');
  expect(await scene.read('currentTime')).toBe(0);
  expect(await scene.isPaused()).toBe(true);
});

it('shows where the focus is', async () => {
  await scene.open();
  await scene.player.getByText('Whistlers,').waitFor();
  for (let i = 0; i < 13; i += 1) {
    await press('Tab');
    const outline = await scene.player.evaluate(({ shadowRoot }) => {
      const element = shadowRoot?.activeElement as HTMLElement;
      const drawn = element.matches('.slider')
        ? element.parentElement!.querySelector('.ring')!
        : element;
      return getComputedStyle(drawn).outlineStyle;
    });
    expect(outline, `stop ${i}`).toBe('solid');
  }
});
