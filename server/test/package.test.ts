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
    // The cache under node_modules is created at first use.
    const shipped = named.filter((path) => !path.startsWith('node_modules/'));
    expect(shipped.filter((path) => !existsSync(join(folder, path)))).toEqual([]);
    expect(globSync('**/*.ts', { cwd: folder, exclude: ['node_modules/**'] })).toEqual([]);
  });

  it('contains every document that it serves', () => {
    const served = globSync('server/src/http/pages/docs/*.js', { cwd: folder }).flatMap((source) =>
      [
        ...readFileSync(join(folder, source), 'utf8').matchAll(/readDocument\(["']([^"']+)["']\)/g),
      ].map(([, name = '']) => name),
    );
    expect(served).toContain('counting.md');
    expect(served.filter((name) => !existsSync(join(folder, 'docs', name)))).toEqual([]);
  });

  const run = (...argv: string[]) => {
    const { bin } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
    const program = join(folder, bin.podstead);
    return String(execFileSync(process.execPath, [program, ...argv], { cwd: folder, env: {} }));
  };

  it('the npm package has a command that runs', () => {
    expect(JSON.parse(run('config'))).toMatchObject({ PORT: { value: '3000' } });
  });

  it('the npm package names its command correctly in its documents', () => {
    const documents = globSync('**/*.md', { cwd: folder, exclude: ['node_modules/**'] });
    const texts = documents.map((name) => readFileSync(join(folder, name), 'utf8')).join('\n');
    expect(texts).toContain('\npodstead user create ');
    expect(texts).toContain('\npodstead serve\n');
    expect(texts).not.toMatch(/npm start|npm run (demo|-s podstead)/);
  });

  it('the npm package names its command correctly in the help', () => {
    expect(run('--help')).toMatch(/^Usage: podstead COMMAND …\n/);
    expect(run('plan', 'set', '--help')).toMatch(/^Usage: podstead plan set /);
  });
});
