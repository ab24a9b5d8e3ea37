import { execFileSync } from 'node:child_process';
import { existsSync, globSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { writePackage } from '../scripts/write-package.ts';

describe('the npm package', () => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'podstead-package-'));
    writePackage(folder);
    const packages = fileURLToPath(new URL('../../node_modules', import.meta.url));
    symlinkSync(packages, join(folder, 'node_modules'));
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  it('contains every file that its modules name, and no TypeScript', () => {
    const sources = globSync('server/src/**/*.js', { cwd: folder });
    expect(sources.length).toBeGreaterThan(500);
    const named = sources.flatMap((source) =>
      [
        ...readFileSync(join(folder, source), 'utf8').matchAll(
          /(?:from |import\(|new URL\()'(\.[^']+)'/g,
        ),
      ].map(([, path = '']) => join(dirname(source), path)),
    );
    // The cache under node_modules is written by whoever needs it first.
    const shipped = named.filter((path) => !path.startsWith('node_modules/'));
    expect(shipped.filter((path) => !existsSync(join(folder, path)))).toEqual([]);
    expect(globSync('**/*.ts', { cwd: folder, exclude: ['node_modules/**'] })).toEqual([]);
  });

  it('has a command that runs', () => {
    const { bin } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
    const shown = execFileSync(process.execPath, [join(folder, bin.podstead), 'config'], {
      cwd: folder,
      env: {},
    });
    expect(JSON.parse(String(shown))).toMatchObject({ PORT: { value: '3000' } });
  });
});
