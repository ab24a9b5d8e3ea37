import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * Installs the package into an empty folder, as docs/install.md does, and runs its command. Throws
 * if that fails, if the package has another version, or if it can't read pictures.
 */
export function checkPackage(archive: string, version: string): void {
  const prefix = mkdtempSync(join(tmpdir(), 'podstead-prefix-'));
  const stdio: ['ignore', 'pipe', 'inherit'] = ['ignore', 'pipe', 'inherit'];
  try {
    const quiet = ['--no-audit', '--no-fund', '--loglevel=error'];
    execFileSync('tar', ['-xzf', archive, '--strip-components=1', '-C', prefix], { stdio });
    execFileSync('npm', ['ci', '--prefix', prefix, ...quiet], { stdio });
    const installed = join(prefix, 'package.json');
    const found = JSON.parse(readFileSync(installed, 'utf8')).version;
    if (found !== version) throw new Error(`npm installs ${found} instead of ${version}.`);
    const env = { PATH: '/usr/bin:/bin', DATA_DIR: join(prefix, 'data') };
    const program = join(prefix, 'bin/podstead');
    const printed = execFileSync(program, ['config'], { cwd: prefix, env, stdio });
    if (JSON.parse(String(printed)).PORT.value !== '3000') throw new Error(String(printed));
    // npm leaves out an optional package that it can't install, without a message.
    execFileSync(process.execPath, ['-e', "require('sharp')"], { cwd: prefix, stdio });
  } finally {
    rmSync(prefix, { recursive: true });
  }
}
