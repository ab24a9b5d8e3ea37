import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readEpoch } from './release/read-source.ts';
import { writePackage, writePackageArchive } from './write-package.ts';

/** npm run pack: writes podstead-VERSION.tgz to the current folder. */
const folder = mkdtempSync(join(tmpdir(), 'podstead-pack-'));
try {
  writePackage(folder);
  const file = await writePackageArchive(folder, process.cwd(), readEpoch());
  process.stdout.write(`${file}\n`);
} finally {
  rmSync(folder, { recursive: true });
}
