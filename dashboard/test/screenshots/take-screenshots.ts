import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { BrowserContext, Page } from 'playwright-core';
import sharp from 'sharp';
import { launchBrowser } from '../../../player/test/browser.ts';
import { listShots, type Shot } from './list-shots.ts';
import { type Demo, startDemo } from './start-demo.ts';

/**
 * node dashboard/test/screenshots/take-screenshots.ts [NAME …]: writes docs/dashboard. Every screen of the demo's show, or
 * those with these names, wide and narrow, light and dark; a few from right to left; and a page that shows them all.
 */
const names = process.argv.slice(2);
const isWanted = (name: string) => names.length === 0 || names.includes(name);
const folder = join(import.meta.dirname, '../../../docs/dashboard');
const widths = { wide: { width: 1440, height: 900 }, narrow: { width: 360, height: 800 } };
const schemes = ['light', 'dark'] as const;
const fromRightToLeft = ['home', 'episode', 'statistics'];
const quality = 70;
/** After them, what a scroll brought into view is drawn. */
const twoFrames = 'new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))';

await mkdir(folder, { recursive: true });
await using demo = await startDemo();
await using browser = await launchBrowser();
const about = new Map<string, string>([['sign-in', 'Signing in']]);
for (const [name, viewport] of Object.entries(widths)) {
  for (const colorScheme of schemes) {
    const context = await browser.newContext({ viewport, colorScheme, locale: 'en-GB' });
    await takeAll(context, demo, `${name}-${colorScheme}`);
    await context.close();
  }
}
const arabic = { viewport: widths.wide, locale: 'ar-EG' };
await takeArabic(await browser.newContext(arabic), demo);
await writeFile(join(folder, 'README.md'), describe());

async function takeAll(context: BrowserContext, opened: Demo, suffix: string): Promise<void> {
  const page = await context.newPage();
  await page.goto(`${opened.url}/app/sign-in?next=/app`);
  if (isWanted('sign-in')) await take(page, `sign-in-${suffix}`);
  await signIn(page, opened);
  for (const [name, shot] of Object.entries(await listShots(page, opened.url))) {
    about.set(name, shot.about);
    if (!isWanted(name)) continue;
    await show(page, opened, shot);
    await take(page, `${name}-${suffix}`, shot.open === undefined);
  }
}

async function takeArabic(context: BrowserContext, opened: Demo): Promise<void> {
  const page = await context.newPage();
  await page.goto(`${opened.url}/app/sign-in?next=/app`);
  await signIn(page, opened);
  const shots = await listShots(page, opened.url);
  for (const name of fromRightToLeft.filter(isWanted)) {
    const shot = shots[name];
    if (shot === undefined) throw new Error(`there is no screen ${name}`);
    await show(page, opened, shot);
    await take(page, `${name}-arabic`);
  }
}

/** The form has no words that a language could change: its fields have names. */
async function signIn(page: Page, { url, email, password }: Demo): Promise<void> {
  await page.locator('input[name=email]').fill(email);
  await page.locator('input[name=password]').fill(password);
  await page.locator('main button, form button').first().click();
  await page.waitForURL(`${url}/app`);
}

async function show(page: Page, { url }: Demo, { path, open }: Shot): Promise<void> {
  await page.goto(path.startsWith('http') ? path : `${url}/app${path}`);
  await page.getByRole('heading', { level: 1 }).waitFor();
  await page.waitForLoadState('networkidle');
  await scrollThrough(page);
  await open?.(page);
}

/** Waveforms are drawn once they come near the window. */
async function scrollThrough(page: Page): Promise<void> {
  const height = await page.evaluate<number>('document.documentElement.scrollHeight');
  for (let top = 0; top < height; top += 400) {
    await page.evaluate(`scrollTo(0, ${top}); ${twoFrames}`);
  }
  await page.evaluate(`scrollTo(0, 0); ${twoFrames}`);
}

/** The whole page, or the window under an open dialog. */
async function take(page: Page, name: string, fullPage = true): Promise<void> {
  const picture = await page.screenshot({ fullPage, animations: 'disabled' });
  await sharp(picture)
    .webp({ quality })
    .toFile(join(folder, `${name}.webp`));
}

/** The page of all pictures. */
function describe(): string {
  const picture = (name: string, width: number) =>
    `<img src="${name}.webp" width="${width}" alt="">`;
  const sections = [...about].map(([name, words]) =>
    [
      `## ${words}`,
      `${picture(`${name}-wide-light`, 480)} ${picture(`${name}-wide-dark`, 480)}`,
      `${picture(`${name}-narrow-light`, 180)} ${picture(`${name}-narrow-dark`, 180)}`,
    ].join('\n\n'),
  );
  const arabicPictures = fromRightToLeft.map((name) => picture(`${name}-arabic`, 480)).join('\n');
  return `${[
    '# The dashboard in pictures',
    'Every screen of the demo’s show (`npm run demo`): 1440 and 360 pixels wide, light and dark.\n`node dashboard/test/screenshots/take-screenshots.ts` takes these pictures and writes this page.',
    ...sections,
    `## From right to left\n\n${arabicPictures}`,
  ].join('\n\n')}\n`;
}
