import { describe, expect, it } from 'vitest';
import { anEpisode } from './show.ts';
import { usePlayer } from './use-player.ts';

const scene = usePlayer();
const rows = () => scene.player.locator('.list .rows button');
const current = () => scene.player.locator('.list [aria-current=true]');

describe('a playlist', () => {
  it('lists the episodes, newest first, and starts with the first', async () => {
    await scene.open('podcast="night-signals" playlist');
    await rows().first().waitFor();
    expect(await rows().allInnerTexts()).toEqual([
      expect.stringMatching(/^Whistlers, .*\s+Mar 3, 2026\s+1:00$/),
      expect.stringMatching(/^Dusk on the dial\s+Mar 2, 2026\s+1:00$/),
      expect.stringMatching(/^First light .*\s+Mar 1, 2026\s+1:00$/),
    ]);
    expect(await current().innerText()).toContain('Whistlers');
    expect(scene.media()).toEqual([]);
  });

  it('plays the chosen episode, with its chapters', async () => {
    await scene.open('podcast="night-signals" playlist');
    await rows().nth(1).click();
    await scene.button('Pause').waitFor();
    await scene.waitForPosition(0.1);
    expect(scene.media().at(-1)?.path).toBe(
      `/media/${scene.stage.episodes[1]!.id}/p/episode-2.mp3`,
    );
    expect(await current().innerText()).toContain('Dusk on the dial');
    await scene.button('Chapters').click();
    await scene.player.getByText('A falling note').first().waitFor();
    // A second click pauses it.
    await rows().nth(1).click();
    await scene.button('Play').waitFor();
  });

  it('a playlist continues with the next at the same speed, and stops after the last', async () => {
    await scene.open('podcast="night-signals" playlist start="59.4"');
    await scene.player.getByLabel('Speed').selectOption('1.5');
    await scene.button('Play').click();
    await current().getByText('Dusk on the dial').waitFor();
    await scene.waitForPosition(0.2);
    expect(
      await scene.player.locator('audio').evaluate((audio: HTMLAudioElement) => audio.playbackRate),
    ).toBe(1.5);
    await rows().nth(2).click();
    await current().getByText('First light').waitFor();
    await scene.waitForPosition(0.1);
    await scene.player.evaluate((element) => {
      (element as HTMLElement & { seek(seconds: number): void }).seek(59.6);
    });
    await scene.button('Play').waitFor();
    expect(await current().innerText()).toContain('First light');
  });

  it('plays a season from its first episode', async () => {
    scene.stage.episodes = [5, 4, 3, 2, 1].map((number) =>
      anEpisode(scene.stage.service, number, { season_number: number > 2 ? 2 : 1 }),
    );
    await scene.open('podcast="night-signals" playlist season="2"');
    await expect
      .poll(async () => (await rows().allInnerTexts()).map((text) => text.split(/[,\n]/)[0]))
      .toEqual(['Whistlers', 'What meteors sound like', 'The station that never signs off']);
    await scene.player.getByText('Season 2').waitFor();
  });

  it('a playlist starts with the given episode', async () => {
    await scene.open('podcast="night-signals" episode="episode-2" playlist');
    await current().getByText('Dusk on the dial').waitFor();
    expect(await rows().count()).toBe(3);
  });

  it('loads more on demand, and plays on into it', async () => {
    scene.stage.episodes = Array.from({ length: 60 }, (_, i) =>
      anEpisode(scene.stage.service, 60 - i),
    );
    await scene.open('podcast="night-signals" playlist="3"');
    await rows().first().waitFor();
    expect(await rows().count()).toBe(50);
    await rows().nth(49).click();
    await scene.waitForPosition(0.1);
    await scene.player.evaluate((element) => {
      (element as HTMLElement & { seek(seconds: number): void }).seek(59.6);
    });
    await current().getByText('Signal number 10').waitFor();
    await expect.poll(() => rows().count()).toBe(60);
    expect(await scene.button('More episodes').isVisible()).toBe(false);
  });

  it('loads more by its button', async () => {
    scene.stage.episodes = Array.from({ length: 60 }, (_, i) =>
      anEpisode(scene.stage.service, 60 - i),
    );
    await scene.open('podcast="night-signals" playlist');
    await scene.button('More episodes').click();
    await expect.poll(() => rows().count()).toBe(60);
  });

  it('skips episodes without audio', async () => {
    const silent = { url: null, duration_seconds: null };
    scene.stage.episodes[1] = anEpisode(scene.stage.service, 2, { audio: silent });
    await scene.open('podcast="night-signals" playlist start="59.4"');
    await scene.button('Play').click();
    await current().getByText('First light').waitFor();
    await scene.waitForPosition(0.1);
  });

  it('a playlist continues from an episode far down the list', async () => {
    scene.stage.episodes = Array.from({ length: 120 }, (_, i) =>
      anEpisode(scene.stage.service, 120 - i),
    );
    await scene.open('podcast="night-signals" episode="episode-15" playlist');
    await rows().first().waitFor();
    const next = () =>
      scene.player.evaluate((element) =>
        (element as HTMLElement & { next(): Promise<boolean> }).next(),
      );
    expect(await next()).toBe(true);
    await current().getByText('Signal number 14').waitFor();
  });

  it('shows beside the list that loading more failed, and retries', async () => {
    scene.stage.episodes = Array.from({ length: 60 }, (_, i) =>
      anEpisode(scene.stage.service, 60 - i),
    );
    await scene.open('podcast="night-signals" playlist');
    await rows().first().waitFor();
    scene.stage.failures.set('/episodes', 500);
    await scene.button('More episodes').click();
    await scene.player.locator('.list [role=status]').getByText('could not be loaded').waitFor();
    scene.stage.failures.clear();
    await scene.player.locator('.list').getByRole('button', { name: 'Try again' }).click();
    await expect.poll(() => rows().count()).toBe(60);
    expect(scene.media()).toEqual([]);
  });

  it('a playlist keeps its height with any content', async () => {
    await scene.open('podcast="night-signals" playlist="2"');
    const height = async () => (await scene.player.boundingBox())!.height;
    await rows().first().waitFor();
    expect(await height()).toBe(180 + 2 * 44 + 12);
  });

  it('a playlist says that an empty season is not available', async () => {
    await scene.open('podcast="night-signals" playlist season="7"');
    await scene.player.getByRole('alert').getByText('not available').waitFor();
  });
});
