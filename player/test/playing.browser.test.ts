import { describe, expect, it } from 'vitest';
import { usePlayer } from './use-player.ts';

const scene = usePlayer();

describe('an episode', () => {
  it('an episode is shown, and loads no audio before it plays', async () => {
    await scene.open();
    const title = scene.player.getByRole('link', { name: 'Whistlers,' });
    expect(await title.getAttribute('href')).toBe(
      `${scene.stage.service}/listen/night-signals/episode-3`,
    );
    expect(await scene.player.locator('.times').innerText()).toMatch(/^0:00\s+−1:00$/);
    // The small copy of the image, never the large one.
    await expect
      .poll(() => scene.stage.paths().filter((path) => path.includes('/images/')))
      .toEqual(['/images/0197a3c4-7e31-7a90-b2c4-d5e6f7a8b9c0/320.jpg']);
    await scene.passFrames();
    expect(scene.media()).toEqual([]);
    expect(scene.stage.paths().filter((path) => /chapters|transcripts/.test(path))).toEqual([]);
  });

  it('plays, counted as a player on that page, and pauses', async () => {
    await scene.open();
    await scene.startPlaying();
    expect(scene.media()[0]).toMatchObject({
      path: `/media/${scene.stage.newest.id}/p/episode-3.mp3`,
      referrer: `${scene.stage.pages}/`,
    });
    await scene.button('Pause').click();
    await scene.button('Play').waitFor();
    // What the browser has decoded already may play on for a moment.
    const passes = async () => {
      const before = Number(await scene.read('currentTime'));
      await scene.passFrames();
      return Number(await scene.read('currentTime')) - before;
    };
    await expect.poll(passes).toBe(0);
  });

  describe('an episode that is still loading', () => {
    /** Returns a function that lets the API respond. */
    async function openHeld(): Promise<() => void> {
      await scene.open('');
      const { promise, resolve } = Promise.withResolvers<void>();
      await scene.page.route('**/v1/episodes/*', async (route) => {
        await promise;
        await route.continue();
      });
      const { id } = scene.stage.newest;
      await scene.player.evaluate((element, name) => element.setAttribute('episode', name), id);
      return resolve;
    }

    it('plays as soon as it is loaded, if play was pressed', async () => {
      const respond = await openHeld();
      await scene.button('Play').click();
      await scene.button('Pause').waitFor();
      expect(scene.media()).toEqual([]);
      respond();
      await scene.waitForPosition(0.05);
    });

    it('an episode that is still loading does not play if pause was pressed meanwhile', async () => {
      const respond = await openHeld();
      await scene.button('Play').click();
      await scene.button('Pause').click();
      respond();
      await scene.player.getByText('Whistlers,').waitFor();
      await scene.button('Play').waitFor();
      expect(scene.media()).toEqual([]);
    });

    it('an episode that is still loading does not play if loading fails', async () => {
      const respond = await openHeld();
      scene.stage.failures.set('/v1/episodes/', 503);
      await scene.button('Play').click();
      respond();
      await scene.player.getByText('could not be loaded').waitFor();
      expect(await scene.isPaused()).toBe(true);
      expect(await scene.button('Play').isDisabled()).toBe(true);
    });
  });

  it('an episode keeps moving after a drag that ends where it began', async () => {
    await scene.open();
    await scene.player.getByText('−1:00').waitFor();
    const { x, y, width, height } = (await scene.slider.boundingBox())!;
    await scene.page.mouse.move(x, y + height / 2);
    await scene.page.mouse.down();
    await scene.page.mouse.move(x + width / 2, y + height / 2);
    await scene.page.mouse.move(x, y + height / 2);
    await scene.page.mouse.up();
    await scene.startPlaying();
    await expect.poll(() => scene.slider.inputValue().then(Number)).toBeGreaterThan(0);
  });

  it("an episode is the show's newest, or the one with that slug", async () => {
    await scene.open('podcast="night-signals"');
    await scene.player.getByText('Whistlers,').waitFor();
    await scene.player.evaluate((element) => element.setAttribute('episode', 'episode-1'));
    await scene.player.getByText('First light over the antenna farm').waitFor();
  });

  it('an episode starts at the given position', async () => {
    await scene.open(`episode="${scene.stage.newest.id}" start="0:42"`);
    await scene.player.getByText('−0:18').waitFor();
    await scene.startPlaying();
    expect(await scene.read('currentTime')).toBeGreaterThan(42);
  });

  it('shows how much is loaded', async () => {
    await scene.open();
    await scene.startPlaying();
    const loaded = () =>
      scene.player
        .locator('.timeline')
        .evaluate((line) => Number((line as HTMLElement).style.getPropertyValue('--buffered')));
    await expect.poll(loaded).toBeGreaterThan(0.5);
  });
});

describe('seeking in an episode', () => {
  it('seeking follows the pointer on the timeline, before playback and during it', async () => {
    await scene.open();
    const { width } = (await scene.slider.boundingBox())!;
    await scene.slider.click({ position: { x: width / 2, y: 10 } });
    expect(await scene.read('currentTime')).toBeCloseTo(30, 0);
    expect(scene.media()).toEqual([]);
    await scene.startPlaying();
    expect(await scene.read('currentTime')).toBeGreaterThan(29);
    await scene.slider.click({ position: { x: width / 4, y: 10 } });
    expect(await scene.read('currentTime')).toBeLessThan(29);
    await scene.waitForPosition(15.1);
    await scene.button('Pause').click();
    await scene.slider.click({ position: { x: width / 4, y: 10 } });
    expect(await scene.read('currentTime')).toBeCloseTo(15, 0);
  });

  it('shows the position during a drag, and seeks on release', async () => {
    await scene.open();
    const box = (await scene.slider.boundingBox())!;
    await scene.page.mouse.move(box.x + 10, box.y + 10);
    await scene.page.mouse.down();
    await scene.page.mouse.move(box.x + box.width * 0.75, box.y + 10, { steps: 4 });
    await scene.player.getByText('0:45', { exact: true }).first().waitFor();
    expect(await scene.read('currentTime')).toBe(0);
    await scene.page.mouse.up();
    expect(await scene.read('currentTime')).toBeCloseTo(45, 0);
  });

  it('skips 15 seconds back and 30 forward, within the audio', async () => {
    await scene.open();
    await scene.button('Forward 30 seconds').click();
    expect(await scene.read('currentTime')).toBe(30);
    await scene.button('Back 15 seconds').click();
    expect(await scene.read('currentTime')).toBe(15);
    await scene.button('Back 15 seconds').click();
    await scene.button('Back 15 seconds').click();
    expect(await scene.read('currentTime')).toBe(0);
    for (const _ of [1, 2, 3]) await scene.button('Forward 30 seconds').click();
    expect(await scene.read('currentTime')).toBe(60);
  });

  it('the slider has the position as a time, and in words when it has the focus', async () => {
    await scene.open(`episode="${scene.stage.newest.id}" start="42"`);
    await scene.player.getByText('−0:18').waitFor();
    const spoken = () => scene.slider.getAttribute('aria-valuetext');
    expect(await spoken()).toBe('0:42 of 1:00');
    await scene.slider.focus();
    expect(await spoken()).toBe('42 seconds of 1 minute');
  });
});

describe('speed and volume', () => {
  it('speed and volume apply to the audio, and are stored in the browser', async () => {
    await scene.open();
    await scene.player.getByLabel('Speed').selectOption('2');
    await scene.startPlaying();
    expect(await scene.read('playbackRate')).toBe(2);
    const rate = () =>
      scene.player.locator('audio').evaluate((a: HTMLAudioElement) => a.playbackRate);
    expect(await rate()).toBe(2);
    await scene.player.locator('.volume').hover();
    await scene.player.getByLabel('Volume').fill('0.4');

    await scene.page.reload();
    await scene.startPlaying();
    expect(await rate()).toBe(2);
    const volume = () => scene.player.locator('audio').evaluate((a: HTMLAudioElement) => a.volume);
    expect(await volume()).toBeCloseTo(0.4);
  });

  it('the volume returns to its previous value after unmuting', async () => {
    await scene.open();
    await scene.player.locator('.volume').hover();
    await scene.player.getByLabel('Volume').fill('0.4');
    const sound = () =>
      scene.player.locator('audio').evaluate((a: HTMLAudioElement) => [a.muted, a.volume]);
    await scene.button('Mute').click();
    expect(await sound()).toEqual([true, 0.4]);
    expect(await scene.button('Mute').getAttribute('aria-pressed')).toBe('true');
    await scene.button('Mute').click();
    expect(await sound()).toEqual([false, 0.4]);
  });
});

describe('the position', () => {
  it('the position is restored after leaving the page', async () => {
    await scene.open();
    await scene.button('Forward 30 seconds').click();
    await scene.startPlaying();
    await scene.page.reload();
    await scene.player
      .getByText(/^0:3\d$/)
      .first()
      .waitFor();
    await scene.startPlaying();
    expect(await scene.read('currentTime')).toBeGreaterThan(30);
  });

  it('the position is restored if only the audio knows the duration', async () => {
    const { audio } = scene.stage.newest;
    const unknown = { ...audio, duration_seconds: null };
    scene.stage.episodes[0] = { ...scene.stage.newest, audio: unknown };
    await scene.open(undefined);
    await scene.page.evaluate((id) => {
      localStorage['podstead'] = JSON.stringify({ at: { [id]: 20 } });
    }, scene.stage.newest.id);
    await scene.page.reload();
    await scene.startPlaying();
    expect(await scene.read('currentTime')).toBeGreaterThan(20);
  });

  it('the position is removed at the end of the episode', async () => {
    await scene.open(`episode="${scene.stage.newest.id}" start="59.5"`);
    await scene.playToEnd();
    expect(await scene.page.evaluate(() => JSON.parse(localStorage['podstead']).at)).toEqual({});
  });

  it('the position starts over after the end', async () => {
    await scene.open(`episode="${scene.stage.newest.id}" start="59.5"`);
    await scene.playToEnd();
    await scene.button('Play').click();
    await expect.poll(() => scene.read('currentTime')).toBeLessThan(10);
    await scene.waitForPosition(0.1);
  });
});

describe('several players on a page', () => {
  it('several players on a page play one at a time, and share requests', async () => {
    const id = scene.stage.newest.id;
    await scene.openBody(`<podstead-player episode="${id}"></podstead-player>`.repeat(3));
    await scene.startPlaying();
    const second = scene.page.locator('podstead-player').nth(1);
    await second.getByRole('button', { name: 'Play' }).click();
    await scene.button('Play').waitFor();
    expect(await scene.isPaused()).toBe(true);
    await second.getByRole('button', { name: 'Pause' }).waitFor();
    expect(scene.stage.paths().filter((path) => path.startsWith('/v1/episodes/'))).toHaveLength(1);
  });

  it('several players on a page load nothing while far below the viewport', async () => {
    const id = scene.stage.newest.id;
    await scene.openBody(`<div style="height:4000px">far</div>
      <podstead-player episode="${id}"></podstead-player>`);
    await scene.page.waitForFunction(() => customElements.get('podstead-player'));
    await scene.passFrames();
    expect(scene.stage.paths().filter((path) => path.startsWith('/v1/'))).toEqual([]);
    await scene.player.scrollIntoViewIfNeeded();
    await scene.player.getByText('Whistlers,').waitFor();
  });
});

it('lock screens and media keys control the player', async () => {
  await scene.open();
  await scene.page.evaluate(() => {
    const handlers: Record<string, MediaSessionActionHandler> = {};
    Object.assign(window, { handlers });
    navigator.mediaSession.setActionHandler = (name, handler) => {
      if (handler) handlers[name] = handler;
      else delete handlers[name];
    };
  });
  await scene.startPlaying();
  const told = await scene.page.evaluate(() => {
    const { title, artist, album, artwork } = navigator.mediaSession.metadata!;
    return { title, artist, album, sizes: artwork.map(({ sizes }) => sizes) };
  });
  expect(told).toEqual({
    title: 'Whistlers, and why the low ones are late',
    artist: 'Ines Calloway',
    album: 'Night Signals',
    sizes: ['640x640'],
  });
  const press = (action: string, details = {}) =>
    scene.page.evaluate(
      ([name, detail]) => {
        const { handlers } = window as unknown as { handlers: Record<string, (d: object) => void> };
        handlers[name as string]!(detail as object);
      },
      [action, details] as const,
    );
  await press('seekto', { seekTime: 40 });
  await scene.waitForPosition(40);
  await press('pause');
  await scene.button('Play').waitFor();
  await press('seekto', { seekTime: 40 });
  await press('seekbackward');
  expect(await scene.read('currentTime')).toBe(25);
  await press('play');
  await scene.button('Pause').waitFor();
  await press('pause');
  await scene.player.evaluate((element) => element.remove());
  const left = await scene.page.evaluate(() => {
    const { handlers } = window as unknown as { handlers: object };
    return { keys: Object.keys(handlers), metadata: navigator.mediaSession.metadata };
  });
  expect(left).toEqual({ keys: [], metadata: null });
});
