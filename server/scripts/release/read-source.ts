import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { Release } from './oci-archive.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));
/** What a release is made of. */
const sources = [
  ...['CHANGELOG.md', 'LICENSE', 'README.md', 'package.json', 'package-lock.json'],
  ...['dashboard', 'deploy', 'docs', 'player', 'plugins', 'server'],
];

/**
 * The commit, and its time or that of SOURCE_DATE_EPOCH. Throws if neither names a time, or if a
 * file of the release isn't committed.
 */
export function readSource(): Omit<Release, 'version'> {
  const changed = git('status', '--porcelain', '--', ...sources);
  if (changed) throw new Error(`Commit these files first, or remove them:\n${changed}`);
  return { revision: git('rev-parse', 'HEAD') || 'unknown', epochSeconds: readEpoch() };
}

/** SOURCE_DATE_EPOCH, or else the time of the commit; in seconds since 1970. */
export function readEpoch(): number {
  const seconds = Number(process.env['SOURCE_DATE_EPOCH'] || git('log', '-1', '--format=%ct'));
  if (Number.isSafeInteger(seconds) && seconds > 0) return seconds;
  throw new Error('There is no commit to take the time from: set SOURCE_DATE_EPOCH.');
}

/** Empty where there is no repository. */
function git(...argv: string[]): string {
  try {
    const stdio: ['ignore', 'pipe', 'ignore'] = ['ignore', 'pipe', 'ignore'];
    return execFileSync('git', argv, { cwd: root, encoding: 'utf8', stdio }).trim();
  } catch {
    return '';
  }
}
