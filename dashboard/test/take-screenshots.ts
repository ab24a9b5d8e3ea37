import { spawn } from 'node:child_process';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import sharp from 'sharp';
import { launchBrowser } from '../../player/test/browser.ts';

/**
 * node dashboard/test/take-screenshots.ts: writes docs/dashboard, every screen of the demo's show, wide and
 * narrow, light and dark.
 */
const folder = join(import.meta.dirname, '../../docs/dashboard');
const main = join(import.meta.dirname, '../../server/src/start.js');
const widths = { wide: { width: 1440, height: 900 }, narrow: { width: 360, height: 800 } };
const schemes = ['light', 'dark'] as const;
const quality = 70;

interface Demo {
  readonly url: string;
  readonly password: string;
  readonly stop: () => void;
}

await mkdir(folder, { recursive: true });
const demo = await startDemo();
const browser = await launchBrowser();
try {
  for (const [name, viewport] of Object.entries(widths)) {
    for (const colorScheme of schemes) {
      const context = await browser.newContext({ viewport, colorScheme, locale: 'en-GB' });
      await takeAll(context, `${name}-${colorScheme}`);
      await context.close();
    }
  }
} finally {
  await close(browser);
}

async function takeAll(context: BrowserContext, suffix: string): Promise<void> {
  const page = await context.newPage();
  await page.goto(`${demo.url}/app/sign-in?next=/app`);
  await take(page, `sign-in-${suffix}`);
  await page.getByLabel('Email address').fill('demo@example.com');
  await page.getByLabel('Password').fill(demo.password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.waitForURL(`${demo.url}/app`);
  for (const [screen, path] of Object.entries(await listScreens(page))) {
    await page.goto(`${demo.url}/app${path}`);
    await page.getByRole('heading', { level: 1 }).waitFor();
    await page.waitForLoadState('networkidle');
    await take(page, `${screen}-${suffix}`);
  }
  await page.keyboard.press('Control+k');
  await page.getByRole('dialog').waitFor();
  await take(page, `palette-${suffix}`);
}

async function listScreens(page: Page): Promise<Record<string, string>> {
  const read = async (path: string) =>
    (await page.request.get(`${demo.url}/app/api${path}`)).json();
  const show = `/shows/${(await read('/home')).data[0].id}`;
  const { data: episodes } = await read(`/podcasts/${show.slice(7)}/episodes`);
  return {
    home: '',
    'new-show': '/new',
    episodes: `${show}/episodes`,
    episode: `${show}/episodes/${episodes[0].id}`,
    statistics: `${show}/statistics`,
    'episode-statistics': `${show}/statistics/episodes/${episodes[0].id}`,
    platforms: `${show}/statistics/platforms`,
    team: `${show}/team`,
    'show-texts': `${show}/show/texts`,
    'show-cover': `${show}/show/cover`,
    'show-people': `${show}/show/people`,
    'show-directories': `${show}/show/directories`,
    'show-health': `${show}/show/health`,
    'show-address': `${show}/show/address`,
    'show-moving': `${show}/show/moving`,
    'show-exports': `${show}/show/exports`,
    imports: '/imports',
    account: '/settings',
    keys: '/settings/keys',
    'new-key': '/settings/keys/new',
    sites: '/settings/sites',
    sessions: '/settings/sessions',
  };
}

async function take(page: Page, name: string): Promise<void> {
  const picture = await page.screenshot({ fullPage: true, animations: 'disabled' });
  await sharp(picture)
    .webp({ quality })
    .toFile(join(folder, `${name}.webp`));
}

function startDemo(): Promise<Demo> {
  const child = spawn(process.execPath, [main, 'demo'], { stdio: ['ignore', 'pipe', 'pipe'] });
  let said = '';
  return new Promise((resolve, reject) => {
    child.on('exit', () => reject(new Error('the demo has ended before it listened')));
    const listen = (piece: Buffer) => {
      said += String(piece);
      const [, password] = /password (\w+)/.exec(said) ?? [];
      const [, url] = /(http:\/\/localhost:\d+)\/app/.exec(said) ?? [];
      if (!said.includes('"event":"listening"')) return;
      if (password === undefined || url === undefined) return;
      resolve({ url, password, stop: () => child.kill() });
    };
    // The words for people go to stderr.
    child.stdout.on('data', listen);
    child.stderr.on('data', listen);
  });
}

async function close(opened: Browser): Promise<void> {
  await opened.close();
  demo.stop();
}
