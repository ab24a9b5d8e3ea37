import { existsSync } from 'node:fs';

/** The browser of the tests: CHROMIUM, else where Debian and others put it; undefined without one. */
export function findChromium(): string | undefined {
  const named = process.env['CHROMIUM'];
  return [named, '/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find(
    (path) => path && existsSync(path),
  );
}
