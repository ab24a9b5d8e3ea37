import { spawnSync } from 'node:child_process';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { findChromium } from '../../../player/test/find-chromium.ts';

/** 127.0.0.2:443, where the tests' site listens, as Linux lists it. */
const siteAddress = '0200007F:01BB';
const listening = '0A';

function isInUse(address: string): boolean {
  const sockets = readFileSync('/proc/net/tcp', 'utf8').split('\n');
  return sockets.some((line) => line.includes(` ${address} 00000000:0000 ${listening} `));
}

/** PHP's server for web servers: Debian's name of it contains the version. */
export function findFpm(): string | undefined {
  return globSync('/usr/sbin/php-fpm*')[0];
}

/** What the tests in a real WordPress lack on this machine; undefined if they can run. */
export function findMissing(): string | undefined {
  if (process.getuid?.() !== 0) return 'they need root, to listen on port 443';
  if (!existsSync('/usr/share/wordpress/wp-load.php')) return 'WordPress is not installed';
  if (isInUse(siteAddress)) return 'another site uses 127.0.0.2:443';
  const programs = ['mariadbd', 'mariadb-install-db', 'nginx', 'openssl', 'php'];
  const lacking = programs.find((name) => spawnSync('which', [name]).status !== 0);
  if (lacking !== undefined) return `there is no ${lacking}`;
  if (findFpm() === undefined) return 'there is no php-fpm';
  return findChromium() === undefined ? 'there is no Chromium' : undefined;
}
