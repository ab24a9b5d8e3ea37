import axe from 'axe-core';
import { describe, expect, it } from 'vitest';
import type { Setting } from './browser.ts';
import { usePlayer } from './use-player.ts';

const scene = usePlayer();

/** One line for each violation that axe finds, with all rules enabled, also the optional ones. */
async function findFaults(): Promise<string[]> {
  await scene.page.evaluate(axe.source);
  return scene.page.evaluate(async () => {
    type Result = {
      violations: { id: string; nodes: { html: string; any: { message: string }[] }[] }[];
    };
    type Axe = { run(root: Document, options: object): Promise<Result> };
    const { axe } = window as unknown as { axe: Axe };
    const { violations } = await axe.run(document, { rules: { 'target-size': { enabled: true } } });
    return violations.flatMap(({ id, nodes }) =>
      nodes.map(({ html, any }) => `${id}: ${html.slice(0, 120)} ${any[0]?.message ?? ''}`),
    );
  });
}

const page = '<h1>A page of somebody else</h1>';
const themes: readonly [string, Setting][] = [
  ['theme="light"', {}],
  ['theme="dark"', {}],
  ['theme="auto"', { context: { colorScheme: 'dark' } }],
  ['layout="compact"', {}],
  ['layout="compact" theme="dark"', {}],
  ['theme="light" color="#ffd400"', {}],
  ['theme="dark" color="#101080"', {}],
  ['', { lang: 'ar', dir: 'rtl' }],
  ['', { context: { viewport: { width: 296, height: 600 } } }],
];

it.each([180, 300, 360])('overlaps no controls at %i px', async (width) => {
  await scene.openBody(`<podstead-player episode="${scene.stage.newest.id}"></podstead-player>`, {
    lang: 'es',
    context: { viewport: { width, height: 700 } },
  });
  await scene.button('Más').click();
  for (const name of ['Compartir', 'Transcripción', 'Capítulos']) {
    await scene.player.getByRole('tab', { name }).click();
  }
  await scene.button('Cerrar').click();
});

describe('axe finds no violation', () => {
  it.each(themes)('%s %o', async (attributes, setting) => {
    await scene.openBody(
      `${page}<podstead-player episode="${scene.stage.newest.id}" ${attributes}></podstead-player>`,
      setting,
    );
    await scene.player.getByText('Whistlers,').first().waitFor();
    const open = scene.player.locator('.chapters, .more').locator('visible=true').first();
    await open.click();
    await scene.player.getByText('A falling note').last().waitFor();
    expect(await findFaults()).toEqual([]);
    await scene.player.getByRole('tab').nth(2).click();
    expect(await findFaults()).toEqual([]);
  });

  it.each(themes.slice(0, 2))(
    'axe finds no violation in a transcript with search matches: %s',
    async (attributes, setting) => {
      await scene.openBody(
        `${page}<podstead-player episode="${scene.stage.newest.id}" ${attributes}></podstead-player>`,
        setting,
      );
      await scene.button('Transcript').click();
      await scene.player.getByText('At noon').waitFor();
      await scene.player.getByRole('searchbox').fill('air');
      await scene.player.locator('mark').first().waitFor();
      expect(await findFaults()).toEqual([]);
    },
  );

  it('axe finds no violation in a playlist, with an error, and while it loads', async () => {
    await scene.openBody(
      `${page}<podstead-player podcast="night-signals" playlist></podstead-player>`,
    );
    await scene.player.getByText('Dusk on the dial').waitFor();
    expect(await findFaults()).toEqual([]);
    scene.stage.failures.set('/media/', 500);
    await scene.button('Play').click();
    await scene.player.getByRole('alert').waitFor();
    expect(await findFaults()).toEqual([]);
    scene.stage.failures.set('/v1/', -1);
    await scene.page.reload();
    await scene.player.locator('.bare').waitFor();
    expect(await findFaults()).toEqual([]);
  });
});

describe('a long title', () => {
  it.each(['', 'layout="compact"'])('wraps even without spaces: %s', async (attributes) => {
    const title =
      'Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft';
    scene.stage.episodes[0] = { ...scene.stage.newest, title: `${title} ${title} ${title}` };
    const [width, height] = [420, 600];
    await scene.open(`episode="${scene.stage.newest.id}" ${attributes}`, {
      context: { viewport: { width, height } },
    });
    await scene.player.getByText('Donau').first().waitFor();
    const hiddenPx = await scene.player
      .locator('.title')
      .evaluate((words) => words.scrollWidth - words.clientWidth);
    expect(hiddenPx).toBe(0);
  });
});

describe('a title in a script of the other direction', () => {
  const latin =
    'Whistlers, and why the low ones are late: an evening with the antennas of the coast';
  const arabic = 'الصفير، ولماذا تتأخر النغمات المنخفضة: أمسية مع هوائيات الساحل الشمالي وأصدقائها';
  const widths = [280, 360, 1440];
  const cases = ['', 'layout="compact"'].flatMap((layout) =>
    widths.flatMap((width) => [
      { width, layout, lang: 'he', dir: 'rtl', words: latin },
      { width, layout, lang: 'en', dir: 'ltr', words: arabic },
    ]),
  );

  it.each(cases)(
    'a title in a script of the other direction ends with an ellipsis in sight, at $width px $layout $lang',
    async (sight) => {
      const { width, layout, lang, dir, words } = sight;
      scene.stage.episodes[0] = { ...scene.stage.newest, title: `${words} `.repeat(6) };
      const context = { viewport: { width, height: 600 } };
      const css = 'main { max-width: 600px }';
      await scene.open(`episode="${scene.stage.newest.id}" ${layout}`, { lang, dir, css, context });
      const title = scene.player.locator('.title');
      await title.getByText(words.slice(0, 9)).waitFor();
      const [isCut, hiddenPx] = await title.evaluate((box) => [
        box.scrollHeight > box.clientHeight,
        box.scrollWidth - box.clientWidth,
      ]);
      expect([isCut, hiddenPx]).toEqual([true, 0]);
    },
  );

  it.each(['', 'layout="compact"'])(
    'a title in a script of the other direction begins where the player does if short: %s',
    async (layout) => {
      scene.stage.episodes[0] = { ...scene.stage.newest, title: 'Dusk' };
      await scene.open(`episode="${scene.stage.newest.id}" ${layout}`, { lang: 'he', dir: 'rtl' });
      await scene.player.getByText('Dusk').first().waitFor();
      const [title, head] = [scene.player.locator('.title'), scene.player.locator('.head')];
      const right = async (place: typeof title) => {
        const { x, width } = (await place.boundingBox())!;
        return x + width;
      };
      expect(await right(title)).toBeCloseTo(await right(head), 0);
      expect((await title.boundingBox())!.width).toBeLessThan(100);
    },
  );
});

describe('a button', () => {
  it.each([
    [700, ''],
    [296, ''],
    [296, 'layout="compact"'],
  ])('a button is large enough for a finger, at %i px %s', async (width, attributes) => {
    const setting = { context: { viewport: { width, height: 700 }, hasTouch: true } };
    await scene.open(`episode="${scene.stage.newest.id}" ${attributes}`, setting);
    await scene.player.getByText('Whistlers,').first().waitFor();
    const small = await scene.player.evaluate(({ shadowRoot }) =>
      [...shadowRoot!.querySelectorAll('.main button, .main select')]
        .map((element) => ({ box: element.getBoundingClientRect(), name: element.className }))
        .filter(({ box }) => box.width > 0 && (box.width < 44 || box.height < 44))
        .map(({ box, name }) => `${name} ${box.width} × ${box.height}`),
    );
    expect(small).toEqual([]);
    const overflow = await scene.player.evaluate(
      ({ shadowRoot }) => shadowRoot!.querySelector('.card')!.scrollWidth - innerWidth + 16,
    );
    expect(overflow).toBeLessThanOrEqual(0);
  });
});

describe('accessibility preferences', () => {
  it('nothing moves automatically if reduced motion is preferred', async () => {
    await scene.open(undefined, { context: { reducedMotion: 'reduce' } });
    await scene.player.getByText('Whistlers,').waitFor();
    await scene.player.locator('.play').evaluate((button) => button.classList.add('waiting'));
    const animation = () =>
      scene.player
        .locator('.play')
        .evaluate((button) => getComputedStyle(button, '::after').animationName);
    expect(await animation()).toBe('none');
    await scene.page.emulateMedia({ reducedMotion: 'no-preference' });
    expect(await animation()).toBe('turn');
  });

  it('the system colors apply', async () => {
    await scene.open(undefined, { context: { forcedColors: 'active' } });
    await scene.startPlaying();
    const { card, track, played } = await scene.player.evaluate(({ shadowRoot }) => {
      const probe = document.body.appendChild(document.createElement('p'));
      probe.style.cssText = 'color:GrayText;background:Canvas;forced-color-adjust:none';
      const ground = (selector: string) =>
        getComputedStyle(shadowRoot!.querySelector(selector)!).backgroundColor;
      const { color, backgroundColor } = getComputedStyle(probe);
      return {
        card: ground('.card') === backgroundColor,
        track: ground('.track') === color,
        played: ground('.played') !== ground('.track'),
      };
    });
    expect({ card, track, played }).toEqual({ card: true, track: true, played: true });
  });
});

describe('styles of the page', () => {
  it('styles of the page apply through custom properties and parts', async () => {
    await scene.open(undefined, {
      css: `podstead-player { --podstead-accent: #800080; --podstead-radius: 0; --podstead-ground: #fff }
            podstead-player::part(play-button) { border-radius: 4px }`,
    });
    await scene.player.getByText('Whistlers,').waitFor();
    const style = (selector: string, name: string) =>
      scene.player
        .locator(selector)
        .evaluate((element, key) => getComputedStyle(element).getPropertyValue(key), name);
    expect(await style('.play', 'background-color')).toBe('rgb(128, 0, 128)');
    expect(await style('.play', 'border-radius')).toBe('4px');
    expect(await style('.card', 'border-radius')).toBe('0px');
  });

  it('styles of the page reach nothing else inside', async () => {
    const ofPage = `letter-spacing: 4px; font: italic 40px / 3 serif; text-transform: uppercase;
      word-break: break-all; color: red; cursor: wait; text-shadow: 1px 1px red; direction: rtl`;
    await scene.open(undefined, {
      css: `button { background: red !important; display: none } * { ${ofPage} }`,
    });
    expect(await scene.button('Play').isVisible()).toBe(true);
    const read = () =>
      scene.player.locator('.times').evaluate((words) => {
        const style = getComputedStyle(words);
        return [...style].map((name) => `${name}: ${style.getPropertyValue(name)}`);
      });
    await scene.player.getByText('Whistlers,').waitFor();
    const dressed = await read();
    await scene.page.locator('style').evaluate((style) => style.remove());
    expect(dressed).toEqual(await read());
  });

  it('styles of the page can hide or disable it like any other element', async () => {
    await scene.open(undefined, { css: 'main { visibility: hidden; pointer-events: none }' });
    await scene.player.getByText('Whistlers,').waitFor({ state: 'attached' });
    const style = await scene.player.locator('.play').evaluate((button) => {
      const { visibility, pointerEvents } = getComputedStyle(button);
      return { visibility, pointerEvents };
    });
    expect(style).toEqual({ visibility: 'hidden', pointerEvents: 'none' });
  });

  it("styles of the page leave the show's colors where they set none", async () => {
    scene.stage.podcast = { ...scene.stage.podcast, color: '#8a2be2', player_theme: 'dark' };
    await scene.open();
    await scene.player.getByText('Whistlers,').waitFor();
    expect(await scene.player.locator('.card').getAttribute('data-theme')).toBe('dark');
    const color = await scene.player
      .locator('.card')
      .evaluate((card) => card.style.getPropertyValue('--light'));
    expect(color).toBe('rgb(138,43,226)');
  });
});
