import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { writePackage } from './write-package.ts';

/** npm run pack: writes podstead-VERSION.tgz to the current folder. */
const folder = mkdtempSync(join(tmpdir(), 'podstead-pack-'));
try {
  writePackage(folder);
  execFileSync('npm', ['pack', folder], { stdio: 'inherit' });
} finally {
  rmSync(folder, { recursive: true });
}
