import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { findChromium } from '../../../player/test/find-chromium.ts';

/** The scripts that start and stop a WordPress. They are no part of the project. */
export const wordpressTool = fileURLToPath(
  new URL('../../../../shared/tools/wordpress/', import.meta.url),
);

/** What the tests in a real WordPress lack on this machine; undefined if they can run. */
export function findMissing(): string | undefined {
  if (process.getuid?.() !== 0) return 'they need root, to listen on port 443';
  if (!existsSync(`${wordpressTool}up.sh`)) return 'there is no ../shared/tools/wordpress';
  if (!existsSync('/usr/share/wordpress/wp-load.php')) return 'WordPress is not installed';
  const programs = ['mariadbd', 'nginx', 'openssl', 'php', 'php-fpm8.2'];
  const lacking = programs.find((name) => spawnSync('which', [name]).status !== 0);
  if (lacking !== undefined) return `there is no ${lacking}`;
  return findChromium() === undefined ? 'there is no Chromium' : undefined;
}
