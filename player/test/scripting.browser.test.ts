import { describe, expect, it } from 'vitest';
import type { PlayerDetail, PlayerEventName, PodsteadPlayerElement } from '../index.d.ts';
import { usePlayer } from './use-player.ts';

const scene = usePlayer();

/** Runs a script in the page, with the element. */
const script = <T>(run: (player: PodsteadPlayerElement) => T | Promise<T>): Promise<T> =>
  scene.player.evaluate(run as (element: HTMLElement | SVGElement) => T | Promise<T>);

const names: PlayerEventName[] = [
  'ready',
  'episodechange',
  'play',
  'pause',
  'seek',
  'timeupdate',
  'ended',
  'ratechange',
  'volumechange',
  'error',
];

/** Creates a player; the page records the names of its events and the last detail of each. */
async function openListening(start: string): Promise<void> {
  await scene.openBody('');
  await scene.page.waitForFunction(() => customElements.get('podstead-player'));
  await scene.page.evaluate(
    ([all, id, place]) => {
      const kept: { names: string[]; details: Record<string, unknown> } = {
        names: [],
        details: {},
      };
      Object.assign(window, { kept });
      const player = document.createElement('podstead-player');
      for (const name of all) {
        player.addEventListener(name, (event) => {
          if (kept.names.at(-1) !== name) kept.names.push(name);
          kept.details[name] = (event as CustomEvent).detail;
        });
      }
      player.setAttribute('episode', id);
      player.setAttribute('start', place);
      document.body.append(player);
    },
    [names, scene.stage.newest.id, start] as const,
  );
}

const kept = () =>
  scene.page.evaluate(
    () =>
      (window as unknown as { kept: { names: string[]; details: Record<string, PlayerDetail> } })
        .kept,
  );

describe('a page that scripts the player', () => {
  it('a page that scripts the player gets the right events if it pauses and plays at once', async () => {
    await scene.open();
    await scene.startPlaying();
    await script((player) => {
      player.pause();
      return player.play();
    });
    await scene.waitForPosition((await scene.read('currentTime')) + 0.2);
    expect(await script((player) => player.paused)).toBe(false);
    expect(await scene.button('Pause').isVisible()).toBe(true);
  });

  it('a page that scripts the player can repeat an episode', async () => {
    await openListening('59.5');
    await script((player) => {
      player.addEventListener('ended', () => {
        player.seek(0);
        player.play();
      });
      return player.play();
    });
    await expect.poll(async () => (await kept()).names).toContain('ended');
    await expect.poll(() => scene.read('currentTime')).toBeLessThan(10);
    await scene.waitForPosition(0.2);
    expect(await script((player) => player.paused)).toBe(false);
  });

  it('a page that scripts the player can play, pause and seek', async () => {
    await scene.open();
    await script((player) => player.play());
    await scene.waitForPosition(0.1);
    await script((player) => player.pause());
    expect(await script((player) => player.paused)).toBe(true);
    await script((player) => player.seek(30));
    expect(await script((player) => [player.currentTime, player.duration])).toEqual([30, 60]);
    await script((player) => {
      player.currentTime = 12;
    });
    expect(await script((player) => player.currentTime)).toBe(12);
    expect(await script((player) => player.current?.title)).toContain('Whistlers');
  });

  it('a page that scripts the player can play one far down the page, and one just created', async () => {
    await scene.openBody('<div style="height:5000px">far</div>');
    await scene.page.waitForFunction(() => customElements.get('podstead-player'));
    await scene.page.evaluate((id) => {
      const player = document.createElement('podstead-player') as PodsteadPlayerElement;
      player.setAttribute('episode', id);
      document.body.append(player);
      return player.play();
    }, scene.stage.newest.id);
    await scene.waitForPosition(0.1);
  });

  it('a page that scripts the player may set nonsensical positions, speeds and volumes', async () => {
    await scene.open();
    await scene.startPlaying();
    const read = () =>
      script((player) => [player.currentTime, player.playbackRate, player.volume] as const);
    await script((player) => {
      player.pause();
      player.seek(Number.NaN);
      player.playbackRate = 100;
      player.volume = 7;
    });
    expect(await read()).toEqual([0, 3, 1]);
    await script((player) => {
      player.seek(1e9);
      player.playbackRate = 0;
      player.volume = Number.NaN;
    });
    expect(await read()).toEqual([60, 1, 0]);
    await script((player) => {
      player.seek(-5);
      player.playbackRate = -1;
    });
    expect(await read()).toEqual([0, 0.5, 0]);
  });

  it('a page that scripts the player gets a rejection if there is nothing to play', async () => {
    await scene.open('episode="00000000-0000-7000-8000-000000000000"');
    await scene.page.waitForFunction(() => customElements.get('podstead-player'));
    const refusal = await script((player) => player.play().catch((error: Error) => error.name));
    expect(refusal).toBe('NotSupportedError');
  });

  it('a page that scripts the player may set a speed that the menu does not have', async () => {
    await scene.open();
    await script((player) => {
      player.playbackRate = 1.1;
    });
    expect(await scene.player.getByLabel('Speed').inputValue()).toBe('1.1');
  });

  it('a page that scripts the player can step through a playlist', async () => {
    await scene.open('podcast="night-signals" playlist');
    await scene.player.getByText('Dusk on the dial').waitFor();
    expect(await script((player) => player.previous())).toBe(false);
    expect(await script((player) => player.next())).toBe(true);
    await scene.waitForPosition(0.1);
    expect(await script((player) => player.current?.slug)).toBe('episode-2');
    expect(await script((player) => player.previous())).toBe(true);
    expect(await script((player) => player.current?.slug)).toBe('episode-3');
  });

  it('a page that scripts the player gets every event, with the position', async () => {
    await openListening('59.3');
    await expect.poll(async () => (await kept()).names).toEqual(['episodechange', 'ready']);
    await scene.startPlaying();
    await expect.poll(async () => (await kept()).names).toContain('ended');
    const { names: heard, details } = await kept();
    expect(heard.slice(0, 4)).toEqual(['episodechange', 'ready', 'play', 'timeupdate']);
    expect(details['timeupdate']).toMatchObject({
      duration: 60,
      failure: null,
      episode: { id: scene.stage.newest.id, slug: 'episode-3' },
    });
    expect(details['timeupdate']?.currentTime).toBeGreaterThan(59.3);
    await script((player) => {
      player.seek(3);
      player.playbackRate = 2;
      player.volume = 0.5;
    });
    const later = async () => (await kept()).names;
    await expect
      .poll(later)
      .toEqual(expect.arrayContaining(['seek', 'ratechange', 'volumechange']));
  });

  it('a page that scripts the player gets failures', async () => {
    scene.stage.failures.set('/media/', 500);
    await openListening('0');
    await scene.button('Play').click();
    await expect.poll(async () => (await kept()).details['error']?.failure).toBe('audioFailed');
  });

  it('a page that scripts the player gets an error if there is no audio yet', async () => {
    const audio = { url: null, duration_seconds: null, waveform_url: null };
    scene.stage.episodes[0] = { ...scene.stage.newest, audio };
    await openListening('0');
    const names = ['episodechange', 'error', 'ready'];
    await expect.poll(async () => (await kept()).names).toEqual(names);
    expect((await kept()).details['error']?.failure).toBe('noAudio');
  });
});

it('the player works with anything in its storage', async () => {
  await scene.open();
  for (const stored of [
    '{"rate":"x","volume":"y","at":7}',
    'null',
    '[]',
    '"x"',
    '{',
    '{"rate":1e9}',
  ]) {
    await scene.page.evaluate((text) => localStorage.setItem('podstead', text), stored);
    await scene.page.reload();
    await scene.player.getByText('Whistlers,').waitFor();
    await script((player) => player.seek(20));
    await scene.startPlaying();
    await scene.button('Pause').click();
  }
  const places = await scene.page.evaluate(() => JSON.parse(localStorage['podstead']).at);
  expect(Object.keys(places)).toEqual([scene.stage.newest.id]);
  expect(places[scene.stage.newest.id]).toBeGreaterThanOrEqual(20);
});

it('stores at most a hundred positions', async () => {
  await scene.open();
  await scene.page.evaluate(() => {
    const at = Object.fromEntries(Array.from({ length: 300 }, (_, i) => [`episode-${i}`, i]));
    localStorage.setItem('podstead', JSON.stringify({ at }));
  });
  await scene.button('Forward 30 seconds').click();
  await scene.startPlaying();
  await scene.button('Pause').click();
  const places = await scene.page.evaluate(() => JSON.parse(localStorage['podstead']).at);
  expect(Object.keys(places)).toHaveLength(100);
  expect(places[scene.stage.newest.id]).toBeGreaterThanOrEqual(30);
});
