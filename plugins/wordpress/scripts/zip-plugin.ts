import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { type Zippable, zipSync } from 'fflate';

const folder = fileURLToPath(new URL('../podstead', import.meta.url));

/** Zip files state local times; this one is the same in every time zone. */
const time = new Date(2026, 0, 1);

/** The plugin as WordPress installs it. The same files give the same bytes. */
export function zipPlugin(): Uint8Array {
  const names = globSync('**/*', { cwd: folder, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => `${entry.parentPath}/${entry.name}`.slice(folder.length + 1))
    .sort();
  const files: Zippable = {};
  for (const name of names) files[`podstead/${name}`] = readFileSync(`${folder}/${name}`);
  return zipSync(files, { level: 9, mtime: time });
}
