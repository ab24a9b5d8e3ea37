import { mkdir } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { Browser, BrowserContextOptions, Locator } from 'playwright-core';
import { launchBrowser, openPage, type Setting } from './browser.ts';
import { Stage } from './stage.ts';

// node player/test/take-screenshots.ts [folder]: takes the screenshots of docs/player.

const folder = process.argv[2] ?? fileURLToPath(new URL('../../docs/player', import.meta.url));

interface Shot extends Setting {
  readonly name: string;
  readonly attributes?: string;
  readonly widthPx?: number;
  readonly inside?: (stage: Stage) => string;
  readonly prepare?: (stage: Stage) => void;
  readonly act?: (player: Locator) => Promise<void>;
}

const listen = async (player: Locator) => {
  await player.evaluate(async (element: HTMLElement & { play(): Promise<void> }) => {
    await element.play();
  });
  await player.evaluate(
    (element: HTMLElement & { seek(seconds: number): void; pause(): void }) =>
      new Promise<void>((resolve) => {
        element.seek(26);
        element.addEventListener('timeupdate', () => setTimeout(resolve, 150), { once: true });
      }),
  );
};
const open = (name: string) => async (player: Locator) => {
  await listen(player);
  await player.getByRole('button', { name, exact: true }).click();
  await player.locator('.panel').waitFor();
  await player.page().waitForTimeout(700);
};
const dark: BrowserContextOptions = { colorScheme: 'dark' };
const onDark = 'body{background:#0b0b0a}';

const shots: Shot[] = [
  { name: 'full-light', act: listen },
  { name: 'full-dark', attributes: 'theme="dark"', css: onDark, act: listen },
  { name: 'compact-light', attributes: 'layout="compact"', act: listen },
  { name: 'compact-dark', attributes: 'layout="compact" theme="dark"', css: onDark, act: listen },
  { name: 'compact-narrow', attributes: 'layout="compact"', widthPx: 296, act: listen },
  { name: 'auto-dark', attributes: 'theme="auto" color="#e4572e"', css: onDark, context: dark },
  { name: 'chapters', act: open('Chapters') },
  { name: 'transcript', act: open('Transcript') },
  { name: 'transcript-dark', attributes: 'theme="dark"', css: onDark, act: open('Transcript') },
  { name: 'share', act: open('Share') },
  { name: 'playlist', attributes: 'podcast="night-signals" playlist="3"', act: listen },
  { name: 'narrow', widthPx: 296, act: listen },
  {
    name: 'narrow-transcript',
    widthPx: 296,
    act: async (player) => {
      await open('More')(player);
      await player.getByRole('tab', { name: 'Transcript' }).click();
      await player.page().waitForTimeout(700);
    },
  },
  {
    name: 'narrow-share',
    widthPx: 296,
    act: async (player) => {
      await open('More')(player);
      await player.getByRole('tab', { name: 'Share' }).click();
    },
  },
  { name: 'wide', widthPx: 916, act: listen },
  { name: 'arabic', lang: 'ar', dir: 'rtl', act: open('الفصول') },
  {
    name: 'plain',
    prepare: (stage) => {
      stage.podcast = { ...stage.podcast, player_waveform: false };
    },
    act: listen,
  },
  {
    name: 'error',
    prepare: (stage) => stage.failures.set('/v1/', 500),
    act: (player) => player.getByRole('alert').waitFor(),
  },
  {
    name: 'error-audio',
    prepare: (stage) => stage.failures.set('/media/', 500),
    act: async (player) => {
      await player.getByRole('button', { name: 'Play' }).click();
      await player.getByRole('alert').waitFor();
    },
  },
  {
    name: 'error-compact',
    attributes: 'layout="compact"',
    prepare: (stage) => stage.failures.set('/v1/', 500),
    act: (player) => player.getByRole('alert').waitFor(),
  },
  {
    name: 'loading',
    prepare: (stage) => stage.failures.set('/v1/', -1),
  },
  { name: 'forced-colors', context: { forcedColors: 'active' }, act: open('Chapters') },
];

async function take(browser: Browser, shot: Shot): Promise<void> {
  await using stage = await Stage.open();
  shot.prepare?.(stage);
  const attributes = shot.attributes ?? '';
  const which = attributes.includes('podcast=') ? '' : `episode="${stage.newest.id}"`;
  const page = await openPage(
    browser,
    stage,
    `<podstead-player ${which} ${attributes}></podstead-player>`,
    {
      ...shot,
      context: {
        viewport: { width: shot.widthPx ?? 656, height: 600 },
        deviceScaleFactor: 1,
        ...shot.context,
      },
    },
  );
  const player = page.locator('podstead-player');
  if (shot.name === 'loading') await page.waitForTimeout(400);
  else await player.locator('.card[aria-label*=":"], .failed').first().waitFor();
  await page.waitForTimeout(250);
  await shot.act?.(player);
  await page.mouse.move(0, 590);
  await page.locator('body').screenshot({ path: `${folder}/${shot.name}.png` });
  await page.context().close();
}

await mkdir(folder, { recursive: true });
await using browser = await launchBrowser();
const wanted = process.argv.slice(3);
for (const shot of shots) {
  if (!wanted.length || wanted.includes(shot.name)) await take(browser, shot);
}
