import { cpSync, globSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));
const shipped = [
  'CHANGELOG.md',
  'dashboard/dist',
  ...globSync('dashboard/src/words/*.po', { cwd: root }),
  'deploy',
  'LICENSE',
  'README.md',
  ...globSync('docs/*.md', { cwd: root }),
  'player/dist',
  'server/demo',
  'server/migrations',
  'server/src',
];
const isOfTests = /\.test\.ts$/;
/** A relative module: imports, and threads started by `new URL`. */
const modulePath = /(?<=(['"])\.{1,2}\/[^'"\n]+)\.ts(?=\1)/g;

/**
 * Writes the server as an npm package to an empty folder. Node runs no TypeScript under
 * node_modules, so the package has JavaScript: the sources without their types.
 */
export function writePackage(folder: string): void {
  for (const path of shipped) {
    const filter = (source: string) => !isOfTests.test(source);
    cpSync(join(root, path), join(folder, path), { recursive: true, filter });
  }
  for (const name of globSync('**/*.md', { cwd: folder })) nameCommands(join(folder, name));
  const sources = globSync('server/src/{start.js,**/*.ts}', { cwd: folder });
  for (const name of sources) compile(join(folder, name));
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(describePackage(), null, 2)}\n`);
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

function describePackage(): object {
  const read = (path: string) => JSON.parse(readFileSync(join(root, path), 'utf8'));
  const { name, version, type, license, engines, dependencies } = read('package.json');
  return {
    ...{ name, version, type, license, engines },
    description: 'Self-hosted podcast hosting',
    bin: { podstead: 'server/src/start.js' },
    dependencies: { ...dependencies, ...read('server/package.json').dependencies },
  };
}
