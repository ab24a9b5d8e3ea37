import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * Installs the package globally into an empty folder and runs its command elsewhere. Throws if that
 * fails, or if the installed package has another version.
 */
export function checkPackage(archive: string, version: string): void {
  const prefix = mkdtempSync(join(tmpdir(), 'podstead-prefix-'));
  const stdio: ['ignore', 'pipe', 'inherit'] = ['ignore', 'pipe', 'inherit'];
  try {
    const quiet = ['--no-audit', '--no-fund', '--loglevel=error'];
    execFileSync('npm', ['install', '--global', '--prefix', prefix, ...quiet, archive], { stdio });
    const installed = join(prefix, 'lib/node_modules/podstead/package.json');
    const found = JSON.parse(readFileSync(installed, 'utf8')).version;
    if (found !== version) throw new Error(`npm installs ${found} instead of ${version}.`);
    const env = { PATH: '/usr/bin:/bin', DATA_DIR: join(prefix, 'data') };
    const program = join(prefix, 'bin/podstead');
    const printed = execFileSync(program, ['config'], { cwd: prefix, env, stdio });
    if (JSON.parse(String(printed)).PORT.value !== '3000') throw new Error(String(printed));
  } finally {
    rmSync(prefix, { recursive: true });
  }
}
