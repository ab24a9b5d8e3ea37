import { describe, expect, it } from 'vitest';
import type { PodsteadPlayerElement } from '../index.d.ts';
import { usePlayer } from './use-player.ts';

const scene = usePlayer();

const script = <T>(
  run: (player: PodsteadPlayerElement, given: string) => T | Promise<T>,
  given = '',
): Promise<T> =>
  scene.player.evaluate(run as (element: HTMLElement | SVGElement, given: string) => T, given);
const isDefined = () =>
  scene.page.waitForFunction(() => customElements.get('podstead-player') !== undefined);
const nameOfRefusal = (started: Promise<unknown>): Promise<string> =>
  started.then(
    () => 'played',
    (error: Error) => /(\w+Error)/.exec(error.message)?.[1] ?? error.message,
  );

describe('calls before the data has loaded', () => {
  const openUnknown = async () => {
    await scene.openBody(`<podstead-player episode="${scene.stage.newest.id}"></podstead-player>`);
    await isDefined();
  };

  it('a seek before the data has loaded starts playback where it pointed', async () => {
    await openUnknown();
    await script((player) => {
      player.seek(40);
      return player.play();
    });
    await scene.waitForPosition(40);
  });

  it('playback starts at the beginning if `start` is past the end', async () => {
    await scene.open(`episode="${scene.stage.newest.id}" start="99999"`);
    await scene.player.getByText('Whistlers,').waitFor();
    expect(await scene.read('currentTime')).toBe(0);
  });

  it('a player that is removed before the data has loaded does not play', async () => {
    await openUnknown();
    const started = script((player) => {
      const playing = player.play();
      player.remove();
      return playing;
    });
    expect(await nameOfRefusal(started)).toBe('AbortError');
    expect(scene.media()).toEqual([]);
  });
});

describe('attributes that change', () => {
  it('plays what they name now, even if play() follows at once', async () => {
    await scene.open();
    await scene.player.getByText('Whistlers,').waitFor();
    await script((player, id) => {
      player.setAttribute('episode', id);
      return player.play();
    }, scene.stage.episodes[1]!.id);
    await scene.waitForPosition(0.1);
    expect(await script((player) => player.current?.slug)).toBe('episode-2');
    expect(scene.media().every(({ path }) => path.includes('episode-2'))).toBe(true);
  });

  it('stops when they name nothing that exists', async () => {
    await scene.open();
    await scene.startPlaying();
    await script((player) =>
      player.setAttribute('episode', '00000000-0000-7000-8000-000000000000'),
    );
    await scene.player.getByRole('alert').getByText('not available').waitFor();
    const asked = scene.media().length;
    expect(await nameOfRefusal(script((player) => player.play()))).toBe('NotSupportedError');
    expect(scene.media()).toHaveLength(asked);
  });

  it('fires `pause` when they name another episode', async () => {
    await scene.open();
    await scene.startPlaying();
    const told = await script((player, id) => {
      const paused = new Promise((resolve) => player.addEventListener('pause', resolve));
      player.setAttribute('episode', id);
      return paused.then(() => player.paused);
    }, scene.stage.episodes[1]!.id);
    expect(told).toBe(true);
  });

  it('plays on when the number of rows changes', async () => {
    await scene.open('podcast="night-signals" playlist="2"');
    await scene.startPlaying();
    await script((player) => player.setAttribute('playlist', '5'));
    await scene.waitForPosition((await scene.read('currentTime')) + 0.1);
    expect(await scene.isPaused()).toBe(false);
  });

  it('seeks to a changed `start`', async () => {
    await scene.open();
    await scene.player.getByText('Whistlers,').waitFor();
    await script((player) => player.setAttribute('start', '0:21'));
    expect(await scene.read('currentTime')).toBe(21);
    await script((player) => player.removeAttribute('start'));
    expect(await scene.read('currentTime')).toBe(21);
  });
});

it('links only to pages and apps, whatever the data contains', async () => {
  const evil = 'javascript:alert(1)';
  scene.stage.podcast = { ...scene.stage.podcast, links: { listen: evil, feed: evil } };
  Object.assign(scene.stage.newest, { links: { listen: evil, embed: evil } });
  scene.stage.podcast = {
    ...scene.stage.podcast,
    links: { ...scene.stage.podcast.links, listen: `${scene.stage.service}/listen/x` },
  };
  await scene.open();
  await scene.button('Share').click();
  await scene.player.getByText('Player FM').waitFor();
  const leads = await scene.player.evaluate((element) =>
    [...(element.shadowRoot?.querySelectorAll('a') ?? [])].map((link) => link.protocol),
  );
  expect(leads.filter((scheme) => scheme === 'javascript:')).toEqual([]);
});
