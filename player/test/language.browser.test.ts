import { describe, expect, it } from 'vitest';
import { usePlayer } from './use-player.ts';

const scene = usePlayer();
const id = () => scene.stage.newest.id;
const words = () => scene.stage.paths().filter((path) => /v1\.\w+\.[0-9a-f]{64}/.test(path));

describe('the language of the page', () => {
  it.each([
    ['de-AT', 'Abspielen', '15 Sekunden zurück'],
    ['es', 'Reproducir', 'Retroceder 15 segundos'],
    ['fr', 'Lire', 'Reculer de 15 secondes'],
    ['ja', '再生', '15秒戻る'],
    ['ar', 'تشغيل', 'رجوع 15 ثانية'],
    ['he', 'ניגון', '15 שניות אחורה'],
    ['it', 'Riproduci', 'Indietro di 15 secondi'],
    ['nl', 'Afspelen', '15 seconden terug'],
    ['pt-BR', 'Reproduzir', 'Voltar 15 segundos'],
    ['ru', 'Слушать', 'Назад на 15 секунд'],
    ['fi', 'Play', 'Back 15 seconds'],
    ['constructor', 'Play', 'Back 15 seconds'],
  ])('%s', async (lang, play, back) => {
    await scene.open(undefined, { lang });
    await scene.button(play).waitFor();
    expect(await scene.button(back).count()).toBe(1);
    expect(await scene.player.locator('.card').getAttribute('dir')).toBe(
      /^(ar|he)$/.test(lang) ? 'rtl' : 'ltr',
    );
  });

  it('the language of the page comes from the nearest lang attribute, else from the browser', async () => {
    await scene.openBody(
      `<div lang="fr"><podstead-player episode="${id()}"></podstead-player></div>`,
      { lang: 'fi', context: { locale: 'ja-JP' } },
    );
    await scene.button('Lire').waitFor();
    await scene.page.context().close();
    await scene.open(undefined, { lang: 'fi', context: { locale: 'ja-JP' } });
    await scene.button('再生').waitFor();
  });

  it('the language of the page mirrors the player, but not the timeline or the transport buttons', async () => {
    await scene.open(undefined, { lang: 'ar', dir: 'rtl' });
    await scene.player.getByText('Whistlers,').waitFor();
    const left = async (selector: string) =>
      (await scene.player.locator(selector).first().boundingBox())!.x;
    expect(await left('.art')).toBeGreaterThan(await left('.progress'));
    expect(await left('.play')).toBeGreaterThan(await left('.skip'));
    const back = await scene.button('رجوع 15 ثانية').boundingBox();
    const forward = await scene.button('تقديم 30 ثانية').boundingBox();
    expect(back!.x).toBeLessThan(forward!.x);
    const { width } = (await scene.slider.boundingBox())!;
    await scene.slider.click({ position: { x: width * 0.75, y: 10 } });
    expect(await scene.read('currentTime')).toBeCloseTo(45, 0);
  });

  it('loads on demand, once for all players', async () => {
    await scene.open();
    await scene.startPlaying();
    expect(words()).toEqual([]);
    await scene.page.context().close();
    const two = `<podstead-player episode="${id()}"></podstead-player>`.repeat(2);
    await scene.openBody(two, { lang: 'de' });
    await scene.page.getByRole('button', { name: 'Abspielen' }).nth(1).waitFor();
    expect(words()).toEqual([expect.stringMatching(/^\/player\/v1\.de\.[0-9a-f]{64}\.json$/)]);
  });

  it('the language of the page may load during playback, without interrupting it', async () => {
    let release = () => {};
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    await scene.openBody('');
    await scene.page.context().route('**/player/v1.de.*', async (route) => {
      await released;
      await route.continue();
    });
    const html = `<!doctype html><html lang="de"><title>Seite</title>
      <podstead-player episode="${id()}"></podstead-player>
      <script async src="${scene.stage.service}/player/v1.js"></script></html>`;
    await scene.page.goto(scene.stage.page(html));
    await scene.startPlaying();
    await scene.button('Chapters').click();
    await scene.player.getByText('A falling note').first().waitFor();
    await scene.button('Pause').focus();
    release();
    await scene.player.getByRole('tab', { name: 'Kapitel' }).waitFor();
    expect(await scene.isPaused()).toBe(false);
    await scene.waitForPosition((await scene.read('currentTime')) + 0.2);
    expect(
      await scene.player.evaluate(({ shadowRoot }) => shadowRoot?.activeElement?.className),
    ).toContain('play');
  });

  it.each([
    ['fails to load', (url: string) => ({ status: 404, body: url })],
    ['belongs to another version', () => ({ status: 200, body: '{"play":"<b>Los</b>"}' })],
  ])('the language of the page stays English if the file %s', async (_, respond) => {
    await scene.openBody('');
    await scene.page.context().route('**/player/v1.de.*', (route) =>
      route.fulfill({
        ...respond(route.request().url()),
        headers: { 'Access-Control-Allow-Origin': '*' },
      }),
    );
    const html = `<!doctype html><html lang="de"><title>Seite</title>
      <podstead-player episode="${id()}"></podstead-player>
      <script async src="${scene.stage.service}/player/v1.js"></script></html>`;
    await scene.page.goto(scene.stage.page(html));
    await scene.startPlaying();
  });
});
