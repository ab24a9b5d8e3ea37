import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { findChromium } from '../../../player/test/find-chromium.ts';

/** The scripts that start and stop a WordPress. They are no part of the project. */
export const wordpressTool = fileURLToPath(
  new URL('../../../../shared/tools/wordpress/', import.meta.url),
);

/** 127.0.0.2:443, where the scripts' site answers, as Linux lists it. */
const siteAddress = '0200007F:01BB';
const listening = '0A';

function isInUse(address: string): boolean {
  const sockets = readFileSync('/proc/net/tcp', 'utf8').split('\n');
  return sockets.some((line) => line.includes(` ${address} 00000000:0000 ${listening} `));
}

/** What the tests in a real WordPress lack on this machine; undefined if they can run. */
export function findMissing(): string | undefined {
  if (process.getuid?.() !== 0) return 'they need root, to listen on port 443';
  if (!existsSync(`${wordpressTool}up.sh`)) return 'there is no ../shared/tools/wordpress';
  if (!existsSync('/usr/share/wordpress/wp-load.php')) return 'WordPress is not installed';
  if (isInUse(siteAddress)) return 'another site answers at 127.0.0.2:443';
  const programs = ['mariadbd', 'nginx', 'openssl', 'php', 'php-fpm8.2'];
  const lacking = programs.find((name) => spawnSync('which', [name]).status !== 0);
  if (lacking !== undefined) return `there is no ${lacking}`;
  return findChromium() === undefined ? 'there is no Chromium' : undefined;
}
