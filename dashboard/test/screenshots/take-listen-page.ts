import { join } from 'node:path';
import sharp from 'sharp';
import { launchBrowser } from '../../../player/test/browser.ts';
import { startDemo } from './start-demo.ts';

/**
 * node dashboard/test/screenshots/take-listen-page.ts: writes docs/listen-page.png, the page of the demo's show on a
 * phone.
 */
const file = join(import.meta.dirname, '../../../docs/listen-page.png');
const viewport = { width: 430, height: 866 };

await using demo = await startDemo();
await using browser = await launchBrowser();
const page = await browser.newPage({ viewport, deviceScaleFactor: 2, locale: 'en-GB' });
const waveform = page.locator('podstead-player .wave');
// A job draws the waveforms after the import.
do {
  await page.goto(`${demo.url}/listen/static-and-starlings`);
  await page.waitForLoadState('networkidle');
} while ((await waveform.count()) === 0);
const picture = await page.screenshot({ animations: 'disabled' });
await sharp(picture).png({ palette: true }).toFile(file);
