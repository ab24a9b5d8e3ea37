import { describe, expect, it } from 'vitest';
import { usePlayer } from './use-player.ts';

const scene = usePlayer();
const boxOf = async (selector: string) => (await scene.player.locator(selector).boundingBox())!;

describe('every width', () => {
  it.each([
    [320, 'compact', 120],
    [360, 'compact', 120],
    [412, 'compact', 120],
    [600, 'compact', 120],
    [700, 'compact', 72],
    [1200, 'compact', 72],
    [320, 'full', 180],
    [412, 'full', 180],
    [600, 'full', 180],
  ])(
    '%i px, %s: shows skip buttons, speed and a usable timeline',
    async (width, layout, height) => {
      await scene.open(`episode="${scene.stage.newest.id}" layout="${layout}"`, {
        context: { viewport: { width, height: 600 } },
      });
      for (const name of ['Play', 'Back 15 seconds', 'Forward 30 seconds']) {
        expect(await scene.button(name).isVisible(), name).toBe(true);
      }
      expect(await scene.player.getByLabel('Speed').isVisible()).toBe(true);
      const [card, line] = [await boxOf('.main'), await boxOf('.timeline')];
      expect(card.height).toBe(height);
      expect(line.height).toBeGreaterThanOrEqual(24);
      if (width < 420) expect(line.width).toBeGreaterThan(card.width - 32);
      else expect(line.width).toBeGreaterThan(200);
      expect(await scene.page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
      await scene.button('Forward 30 seconds').click();
      expect(await scene.read('currentTime')).toBe(30);
    },
  );

  it.each([
    [320, 180, 'full'],
    [320, 120, 'compact'],
    [320, 80, 'compact'],
    [600, 80, 'compact'],
    [700, 80, 'compact'],
  ])('the player fits a frame of %i × %i px', async (width, height, layout) => {
    const html = `<!doctype html><html lang="en"><title>Player</title>
      <script src="/player/v1.js"></script><style>html,body{margin:0;height:100%}</style>
      <podstead-player fill layout="${layout}" episode="${scene.stage.newest.id}"></podstead-player>`;
    await scene.openBody('');
    await scene.page.setViewportSize({ width, height });
    await scene.page.goto(scene.stage.ownPage(html));
    await scene.ready();
    for (const selector of [
      '.play',
      '.skip >> nth=0',
      '.skip >> nth=1',
      '.speed',
      '.timeline',
      '.title',
    ]) {
      const { x, y, width: w, height: h } = await boxOf(selector);
      expect(x >= 0 && y >= 0 && x + w <= width && y + h <= height, selector).toBe(true);
    }
    const size = () => [
      document.documentElement.scrollWidth,
      document.documentElement.scrollHeight,
    ];
    expect(await scene.page.evaluate(size)).toEqual([width, height]);
  });
});

describe('fallback content', () => {
  it('continues in the player when the script arrives late', async () => {
    const { newest, service } = scene.stage;
    const inside = `<audio controls src="${newest.audio.url}"></audio>`;
    const html = `<!doctype html><html lang="en"><title>Late</title>
      <podstead-player episode="${newest.id}">${inside}</podstead-player>`;
    await scene.openBody('');
    await scene.page.goto(scene.stage.page(html));
    await scene.page.evaluate(async () => {
      const audio = document.querySelector('audio')!;
      audio.currentTime = 20;
      await audio.play();
    });
    await scene.page.addScriptTag({ url: `${service}/player/v1.js` });
    await scene.ready();
    await scene.waitForPosition(20.2);
    expect(await scene.isPaused()).toBe(false);
    expect(await scene.page.evaluate(() => document.querySelector('audio')!.paused)).toBe(true);
  });

  it('stays visible if the browser is too old for the player', async () => {
    const { newest, service } = scene.stage;
    const html = `<!doctype html><html lang="en"><title>Old</title>
      <script>CSSStyleSheet.prototype.replaceSync = undefined</script>
      <podstead-player episode="${newest.id}"><a href="/x">Listen to it</a></podstead-player>
      <script async src="${service}/player/v1.js"></script>`;
    await scene.openBody('');
    const failed = scene.page.waitForEvent('pageerror');
    await scene.page.goto(scene.stage.page(html));
    await failed;
    expect(await scene.page.getByText('Listen to it').isVisible()).toBe(true);
    scene.complaints.length = 0;
  });
});

it('loads the newest playable episode, unless one is named', async () => {
  const silent = { ...scene.stage.newest, audio: { url: null, duration_seconds: null } };
  scene.stage.episodes[0] = silent;
  await scene.open('podcast="night-signals"');
  await scene.player.getByText('Dusk on the dial').first().waitFor();
  await scene.page.context().close();
  await scene.open('podcast="night-signals" playlist');
  await scene.startPlaying();
  await scene.page.context().close();
  await scene.open(`episode="${silent.id}"`);
  await scene.player.getByRole('alert').waitFor();
});
