import { describe, expect, it } from 'vitest';
import { usePlayer } from './use-player.ts';

const scene = usePlayer();
const alert = () => scene.player.getByRole('alert');

describe('a failed request', () => {
  it.each([
    [404, 'This episode is not available.', false],
    [403, 'This show cannot be played', true],
    [429, 'Too many requests.', true],
    [503, 'This could not be loaded.', true],
  ])('a failed request is explained in words: %i', async (status, words, canRetry) => {
    scene.stage.failures.set('/v1/', status);
    await scene.open();
    await alert().getByText(words).waitFor();
    expect(await scene.button('Try again').isVisible()).toBe(canRetry);
    expect(await scene.button('Play').isDisabled()).toBe(true);
  });

  it('a failed request can be retried', async () => {
    scene.stage.failures.set('/v1/', 500);
    await scene.open();
    await alert().waitFor();
    scene.stage.failures.clear();
    await scene.button('Try again').click();
    await scene.player.getByText('Whistlers,').waitFor();
    expect(await alert().isVisible()).toBe(false);
    await scene.startPlaying();
  });

  it('an episode without audio is explained in words', async () => {
    const audio = { url: null, duration_seconds: null, waveform_url: null };
    scene.stage.episodes[0] = { ...scene.stage.newest, audio };
    await scene.open();
    await alert().getByText('There is no audio for this episode yet.').waitFor();
    expect(await scene.button('Play').isDisabled()).toBe(true);
    expect(await scene.player.getByText('Whistlers,').isVisible()).toBe(true);
  });

  it('a player without attributes is explained in words', async () => {
    await scene.open('theme="dark"');
    await alert().getByText('not available').waitFor();
  });

  it('a failed request of the waveform only removes the waveform', async () => {
    scene.stage.failures.set('/waveforms/', 500);
    await scene.open();
    await scene.startPlaying();
    expect(await scene.player.locator('.wave').count()).toBe(0);
  });
});

describe('offline', () => {
  it('the player says that it is offline, and recovers when the network is back', async () => {
    await scene.openBody('');
    await scene.page.waitForFunction(() => customElements.get('podstead-player'));
    await scene.page.context().setOffline(true);
    await scene.page.evaluate((id) => {
      const player = document.createElement('podstead-player');
      player.setAttribute('episode', id);
      document.body.append(player);
    }, scene.stage.newest.id);
    await alert().getByText('You are offline').waitFor();
    await scene.page.context().setOffline(false);
    await scene.player.getByText('Whistlers,').waitFor();
    expect(await alert().isVisible()).toBe(false);
  });

  it('the player says on play that it is offline, and plays once the network is back', async () => {
    await scene.open(`episode="${scene.stage.newest.id}" start="20"`);
    await scene.player.getByText('−0:40').waitFor();
    await scene.page.context().setOffline(true);
    await scene.button('Play').click();
    await alert().getByText('You are offline').waitFor();
    await scene.page.context().setOffline(false);
    await scene.waitForPosition(20.1);
    expect(await alert().isVisible()).toBe(false);
  });
});

describe('offline during playback', () => {
  it('the player says that it is offline when the buffer ends, and plays on once the network is back', async () => {
    scene.stage.holdAfterBytes = 100_000;
    await scene.open();
    await scene.player.getByLabel('Speed').selectOption('3');
    await scene.startPlaying();
    const told = await scene.player.evaluateHandle((element) => {
      const failures: string[] = [];
      element.addEventListener('error', (event) => {
        failures.push((event as CustomEvent).detail.failure);
      });
      return failures;
    });
    // While still online: a seek fires `waiting` too.
    await scene.player.evaluate((element) => {
      (element as HTMLElement & { seek(seconds: number): void }).seek(20);
    });
    await scene.waitForPosition(20.1);
    await scene.page.context().setOffline(true);
    await alert().getByText('You are offline').waitFor();
    expect(await scene.button('Pause').isVisible()).toBe(true);
    expect(await told.jsonValue()).toEqual(['offline']);
    scene.stage.holdAfterBytes = undefined;
    const before = await scene.read('currentTime');
    await scene.page.context().setOffline(false);
    await scene.waitForPosition(before + 1);
    expect(await alert().isVisible()).toBe(false);
  });
});

describe('audio that fails', () => {
  it('the player says that audio fails, and a retry continues from the position', async () => {
    scene.stage.failures.set('/media/', 500);
    await scene.open(`episode="${scene.stage.newest.id}" start="20"`);
    await scene.button('Play').click();
    await alert().getByText('The audio could not be played.').waitFor();
    expect(await scene.isPaused()).toBe(true);
    scene.stage.failures.clear();
    await scene.button('Try again').click();
    await scene.waitForPosition(20.1);
    expect(await alert().isVisible()).toBe(false);
  });

  it('continues in the same way when play is pressed again', async () => {
    scene.stage.failures.set('/media/', 500);
    await scene.open(`episode="${scene.stage.newest.id}" start="20"`);
    await scene.button('Play').click();
    await alert().waitFor();
    scene.stage.failures.clear();
    await scene.button('Play').click();
    await scene.waitForPosition(20.1);
  });

  it('resumes after a response that breaks off', async () => {
    scene.stage.holdAfterBytes = 60_000;
    await scene.open();
    await scene.startPlaying();
    scene.stage.breakOff();
    await scene.player.evaluate((element) => {
      (element as HTMLElement & { seek(seconds: number): void }).seek(30);
    });
    await scene.waitForPosition(30.1);
    expect(scene.media().length).toBeGreaterThan(1);
  });
});
