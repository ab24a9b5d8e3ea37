import { describe, expect, it } from 'vitest';
import { renderPlayerDocs } from '../../server/src/http/pages/docs/player-page.ts';
import { anEpisode, aPodcast, chaptersOf } from './show.ts';
import { usePlayer } from './use-player.ts';

const scene = usePlayer();
const id = () => scene.stage.newest.id;

describe('a page with a strict policy', () => {
  it('plays with all styles and violates no rule', async () => {
    const { service } = scene.stage;
    // A service with its files on another host.
    const files = service.replace('127.0.0.1', 'localhost');
    scene.stage.podcast = aPodcast(files);
    scene.stage.episodes = [anEpisode(files, 3)];
    scene.stage.chapters = chaptersOf(files);
    const docs = renderPlayerDocs(service, files).text;
    const policy = [
      "default-src 'none'",
      /script-src [^<]+/.exec(docs)?.[0].replaceAll('\n', ' '),
      "require-trusted-types-for 'script'",
      "trusted-types 'none'",
    ].join('; ');
    const broken: string[] = [];
    await scene.openBody(`<podstead-player episode="${id()}"></podstead-player>`, {
      headers: { 'Content-Security-Policy': policy },
      onConsole: (text) => broken.push(text),
    });
    await scene.startPlaying();
    await scene.button('Chapters').click();
    await scene.player.getByText('Along the field').first().waitFor();
    await scene.button('Transcript').click();
    await scene.player.getByRole('searchbox').fill('the');
    await scene.button('Share').click();
    const look = await scene.player.locator('.play').evaluate((button) => {
      const { backgroundColor, borderRadius } = getComputedStyle(button);
      return { backgroundColor, borderRadius };
    });
    expect(look).toEqual({ backgroundColor: 'rgb(31, 111, 139)', borderRadius: '50%' });
    expect(await scene.player.locator('.art img.loaded').count()).toBe(1);
    expect(broken.filter((text) => /policy|trusted/i.test(text))).toEqual([]);
  });
});

describe('a frame', () => {
  const frame = () => scene.page.frameLocator('iframe');
  const framed = () => {
    const html = `<!doctype html><html lang="en"><title>Player</title>
      <script src="/player/v1.js"></script><style>html,body{margin:0;height:100%}</style>
      <podstead-player fill episode="${id()}"></podstead-player></html>`;
    const src = scene.stage.ownPage(html, '/ep/framed');
    return `<iframe src="${src}" width="600" height="180"></iframe>`;
  };

  it('a frame of the service reports the host of the embedding page', async () => {
    await scene.openBody(framed());
    await frame().getByRole('button', { name: 'Play' }).click();
    await frame().getByRole('button', { name: 'Pause' }).waitFor();
    await expect.poll(() => scene.media()).not.toEqual([]);
    const host = new URL(scene.stage.pages).host;
    expect(scene.media()[0]?.path).toBe(
      `/media/${id()}/p/episode-3.mp3?r=${encodeURIComponent(host)}`,
    );
  });

  it('a frame in a sandbox plays without storage, cookies and an origin', async () => {
    const code = framed().replace('<iframe', '<iframe sandbox="allow-scripts"');
    await scene.openBody(code);
    await frame().getByRole('button', { name: 'Play' }).click();
    await frame().getByRole('button', { name: 'Pause' }).waitFor();
    const player = frame().locator('podstead-player');
    const seconds = () =>
      player.evaluate((element) => (element as HTMLElement & { currentTime: number }).currentTime);
    await expect.poll(seconds).toBeGreaterThan(0.1);
    await frame().getByLabel('Speed').selectOption('2');
    await frame().getByRole('button', { name: 'Pause' }).click();
    await frame().getByRole('button', { name: 'Share' }).click();
    await frame().getByRole('button', { name: 'Copy' }).first().click();
    await frame().getByRole('button', { name: 'Copied' }).waitFor();
    const storage = await player.evaluate(() => {
      try {
        return String(localStorage);
      } catch (error) {
        return (error as Error).name;
      }
    });
    expect(storage).toBe('SecurityError');
    expect(scene.media()[0]?.path).toContain('?r=localhost');
  });

  it('a frame is filled, and panels cover the rest', async () => {
    await scene.openBody(framed());
    const player = frame().locator('podstead-player');
    await frame().getByRole('button', { name: 'Transcript' }).click();
    await frame().getByText('At noon').waitFor();
    const height = (selector: string) =>
      player.locator(selector).evaluate((element) => element.getBoundingClientRect().height);
    expect(await height('.card')).toBe(180);
    expect(await height('.panel')).toBe(180);
    expect(await player.evaluate(() => document.documentElement.scrollHeight)).toBe(180);
    await frame().getByRole('button', { name: 'Close' }).click();
    expect(await frame().getByRole('button', { name: 'Play' }).isVisible()).toBe(true);
  });
});

describe('a listen page of the service', () => {
  it('a listen page of the service is distinguished from players on other sites', async () => {
    await scene.openBody('');
    const html = `<!doctype html><html lang="en"><title>Listen</title>
      <script src="/player/v1.js" async></script>
      <podstead-player episode="${id()}"></podstead-player></html>`;
    await scene.page.goto(scene.stage.ownPage(html, '/listen/night-signals/episode-3'));
    await scene.startPlaying();
    expect(scene.media()[0]?.path).toBe(`/media/${id()}/l/episode-3.mp3`);
  });
});

describe('a page without scripts', () => {
  it('the fallback content is shown', async () => {
    const inside = '<a href="/x">Listen to it</a>';
    await scene.openBody(`<podstead-player episode="${id()}">${inside}</podstead-player>`, {
      context: { javaScriptEnabled: false },
    });
    expect(await scene.page.getByText('Listen to it').isVisible()).toBe(true);
  });
});

describe('the layout', () => {
  it.each([
    ['full', 'style="display:block;min-height:180px"', 180],
    ['compact', 'layout="compact" style="display:block;min-height:72px"', 72],
    [
      'playlist',
      'podcast="night-signals" playlist="3" style="display:block;min-height:324px"',
      324,
    ],
  ])('%s never moves the page', async (_, attributes, height) => {
    const which = attributes.includes('podcast') ? '' : `episode="${id()}"`;
    const shifts = `<script>window.shifts = []; new PerformanceObserver((list) => {
      for (const { value, sources } of list.getEntries()) for (const { node } of sources) {
        window.shifts.push([value, node?.parentNode?.className, node?.className].join(' '));
      }
    }).observe({ type: 'layout-shift', buffered: true });</script>`;
    await scene.openBody(
      `${shifts}<podstead-player ${which} ${attributes}></podstead-player><p>What follows.</p>`,
    );
    await scene.player.getByText('Whistlers,').first().waitFor();
    await scene.startPlaying();
    await scene.passFrames();
    const seen = () => (window as unknown as { shifts: string[] }).shifts;
    expect(await scene.page.evaluate(seen)).toEqual([]);
    expect((await scene.player.boundingBox())!.height).toBe(height);
  });
});

describe('a page that changes', () => {
  it('a page that changes can remove the player and put it back', async () => {
    await scene.openBody(
      `<div id="one"><podstead-player episode="${id()}"></podstead-player></div><div id="two"></div>`,
    );
    await scene.startPlaying();
    await scene.page.evaluate(() => {
      document.querySelector('#two')!.append(document.querySelector('podstead-player')!);
    });
    await scene.button('Play').waitFor();
    await scene.startPlaying();
    expect(await scene.page.locator('#two podstead-player').count()).toBe(1);
  });

  it('a page that changes can change episode, color and theme', async () => {
    await scene.open();
    await scene.player.getByText('Whistlers,').waitFor();
    await scene.player.evaluate((element, other) => {
      element.setAttribute('episode', other);
      element.setAttribute('layout', 'compact');
      element.setAttribute('theme', 'dark');
      element.setAttribute('color', '#ff6600');
    }, scene.stage.episodes[1]!.id);
    await scene.player.getByText('Dusk on the dial').waitFor();
    expect((await scene.player.boundingBox())!.height).toBe(72);
    const color = () =>
      scene.player
        .locator('.play')
        .evaluate((element) => getComputedStyle(element).backgroundColor);
    expect(await color()).toBe('rgb(255, 102, 0)');
  });

  it('a page that changes can load the script twice', async () => {
    await scene.openBody(`<podstead-player episode="${id()}"></podstead-player>
      <script type="module" src="${scene.stage.service}/player/v1.js?again"></script>`);
    await scene.startPlaying();
  });
});

it('an app can use the bundle, which contains no URL', async () => {
  const html = `<!doctype html><html lang="en"><title>App</title><body><script type="module">
    import { PodsteadPlayer } from '${scene.stage.service}/module/index.js';
    const player = new PodsteadPlayer();
    player.setAttribute('src', '${scene.stage.service}');
    player.setAttribute('episode', '${id()}');
    document.body.append(player);</script></body></html>`;
  await scene.openBody('');
  await scene.page.goto(scene.stage.page(html));
  await scene.startPlaying();
});
