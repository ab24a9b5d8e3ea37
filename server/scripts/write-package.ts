import {
  chmodSync,
  cpSync,
  existsSync,
  globSync,
  readFileSync,
  renameSync,
  writeFileSync,
} from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { nameUnreleased } from './release/changelog-section.ts';
import nodePackages from './release/node-packages.json' with { type: 'json' };
import { lockProduction, type Manifest } from './release/production-lock.ts';
import { readFolder } from './release/read-folder.ts';
import { writeTar } from './release/write-tar.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const shipped = [
  'CHANGELOG.md',
  'dashboard/dist',
  ...globSync('dashboard/src/words/*.po', { cwd: root }),
  'deploy',
  'LICENSE',
  'README.md',
  ...globSync('docs/*.{md,json,png}', { cwd: root }),
  'docs/contract',
  'docs/decisions',
  'docs/sites',
  'player/dist',
  'server/demo',
  'server/migrations',
  'server/openapi/v1.json',
  'server/src',
];
const isOfTests = /\.test\.ts$/;
/** A relative module: imports, and threads started by `new URL`. */
const modulePath = /(?<=(['"])\.{1,2}\/[^'"\n]+)\.ts(?=\1)/g;

const program = 'bin/podstead';

/** A release: its version, and the time of everything in it, in seconds since 1970. */
interface Stamp {
  readonly version: string;
  readonly epochSeconds: number;
}

/**
 * Writes the server as an npm package to an empty folder. Node runs no TypeScript under
 * node_modules, so the package has JavaScript: the sources without their types. For a release, it
 * has the release's version in package.json and in its changelog; otherwise that of the repository.
 */
export function writePackage(folder: string, release?: Stamp): void {
  for (const path of shipped) {
    const filter = (source: string) => !isOfTests.test(source);
    cpSync(join(root, path), join(folder, path), { recursive: true, filter });
  }
  // Other Markdown is what the server works with: the texts of emails.
  for (const name of globSync('{*.md,docs/**/*.md,**/README.md}', { cwd: folder })) {
    nameCommands(join(folder, name));
    keepLinks(folder, name);
  }
  omitCheckout(join(folder, 'README.md'));
  if (release !== undefined) stamp(folder, release);
  const sources = globSync('server/src/{start.js,**/*.ts}', { cwd: folder });
  for (const name of sources) compile(join(folder, name));
  cpSync(join(root, 'server/scripts/release/launcher.sh'), join(folder, program));
  chmodSync(join(folder, program), 0o755);
  const manifest = describePackage(release?.version ?? readJson('package.json').version);
  const lock = lockProduction(readJson('package-lock.json').packages, manifest, lockedNode());
  writeJson(join(folder, 'package.json'), manifest);
  // npm installs the very versions that the tests have run with.
  writeJson(join(folder, 'npm-shrinkwrap.json'), lock);
}

/**
 * Writes the package in `folder` as podstead-VERSION.tgz, and resolves to its path. npm's own archives
 * differ between its versions; this one depends only on the files and the time.
 */
export async function writePackageArchive(
  folder: string,
  target: string,
  epochSeconds: number,
): Promise<string> {
  const { name, version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const file = join(target, `${name}-${version}.tgz`);
  const entries = readFolder(folder, 'package').filter(({ type }) => type !== 'directory');
  await writeTar(file, entries, epochSeconds);
  return file;
}

/** Names the release in the changelog, and its image in the files for deployment. */
function stamp(folder: string, { version, epochSeconds }: Stamp): void {
  const change = (name: string, edit: (text: string) => string) => {
    writeFileSync(join(folder, name), edit(readFileSync(join(folder, name), 'utf8')));
  };
  const date = new Date(epochSeconds * 1_000).toISOString().slice(0, 10);
  change('CHANGELOG.md', (text) => nameUnreleased(text, version, date));
  const names = ['podstead:', 'podstead-migrate-', 'PODSTEAD_VERSION='];
  const { version: previous } = readJson('package.json');
  for (const file of globSync('{deploy/**/*.{env,yaml},docs/deploy.md}', { cwd: folder })) {
    change(file, (text) =>
      names.reduce((done, name) => done.replaceAll(name + previous, name + version), text),
    );
  }
}

/** Lines and columns stay the same. */
function compile(file: string): void {
  const source = stripTypeScriptTypes(readFileSync(file, 'utf8'));
  writeFileSync(file, source.replaceAll(modulePath, '.js'));
  renameSync(file, file.replace(/ts$/, 'js'));
}

/** A checkout runs commands with npm; the package installs a program. */
function nameCommands(document: string): void {
  const text = readFileSync(document, 'utf8')
    .replaceAll('npm run -s podstead --', 'podstead')
    .replaceAll('npm run demo', 'podstead demo')
    .replaceAll('npm start', 'podstead serve');
  writeFileSync(document, text);
}

/** The commands of this section are scripts of the repository. */
function omitCheckout(readme: string): void {
  writeFileSync(readme, readFileSync(readme, 'utf8').replace(/^## Try it\n.*?(?=^## )/ms, ''));
}

/** A document keeps the links and pictures whose files are in the package, and no sentences about others. */
function keepLinks(folder: string, document: string): void {
  // The server has pages at what begins with a slash.
  const isMissing = (link: string) =>
    !link.startsWith('/') && !existsSync(join(folder, dirname(document), link));
  const hasMissing = (part: string) =>
    [...part.matchAll(/\]\(([^)#:\s]+)(?=[)#\s])/g)].some(([, link = '']) => isMissing(link));
  const keep = (block: string) =>
    block
      .split(block.startsWith('|') ? /(?=\n)/ : endOfSentence)
      .filter((part) => !hasMissing(part))
      .join('');
  const text = readFileSync(join(folder, document), 'utf8')
    .replace(/<img src="([^":]+)"[^>]*>\n*/g, (all, link) => (isMissing(link) ? '' : all))
    .split(/(?<=\n)\n/)
    .map(keep)
    .filter((block) => block.trim() !== '')
    .map((block) => `${block.trimEnd()}\n`)
    .join('\n');
  writeFileSync(join(folder, document), text);
}

const endOfSentence = /(?<=[.!?:])(?=\s)/;

/**
 * Node comes from packages that contain nothing else and that npm chooses by system and processor.
 * The package `node` would download them in an install script. There are no `engines`, because npm
 * would compare them with the machine's Node instead of this one.
 */
function describePackage(version: string): Manifest {
  const { name, type, license, dependencies } = readJson('package.json');
  const { node, ...others } = dependencies;
  const needed = { ...others, ...readJson('server/package.json').dependencies };
  return {
    ...{ name, version, type, license },
    description: 'Self-hosted podcast hosting',
    bin: { podstead: program },
    dependencies: needed,
    optionalDependencies: Object.fromEntries(Object.keys(nodePackages).map((key) => [key, node])),
  };
}

function lockedNode() {
  const { node } = readJson('package.json').dependencies;
  const entries = Object.entries(nodePackages).map(([name, entry]) => {
    if (entry.version !== node) throw new Error(`node-packages.json has another Node than ${node}`);
    return [`node_modules/${name}`, { ...entry, license: 'MIT', bin: { node: 'bin/node' } }];
  });
  return Object.fromEntries(entries);
}

function readJson(path: string) {
  return JSON.parse(readFileSync(join(root, path), 'utf8'));
}

function writeJson(file: string, value: unknown): void {
  writeFileSync(file, `${JSON.stringify(value, null, 2)}\n`);
}
