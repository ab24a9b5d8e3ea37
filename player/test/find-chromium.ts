import { existsSync } from 'node:fs';

/** Debian's headless shell comes first: the same engine uses half of the processor time. */
const usualPaths = [
  '/usr/lib/chromium/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
];

/** The browser for the tests: CHROMIUM, else the usual paths; undefined if there is none. */
export function findChromium(): string | undefined {
  const named = process.env['CHROMIUM'];
  return [named, ...usualPaths].find((path) => path && existsSync(path));
}
