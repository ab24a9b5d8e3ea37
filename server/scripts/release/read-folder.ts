import { lstatSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';
import type { TarEntry } from './write-tar.ts';

/**
 * The files, folders and links of a folder as entries of an archive, below `prefix`. Modes are 755
 * for folders and programs and 644 for other files, whatever the machine's umask is.
 */
export function readFolder(folder: string, prefix: string): readonly TarEntry[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => {
    const file = join(folder, name);
    const path = prefix === '' ? name : `${prefix}/${name}`;
    const stat = lstatSync(file);
    if (stat.isSymbolicLink()) return { path, type: 'symlink', target: readlinkSync(file) };
    if (stat.isDirectory()) return { path, type: 'directory', mode: 0o755 };
    if (!stat.isFile()) throw new Error(`${file} is neither a file nor a folder.`);
    const mode = (stat.mode & 0o100) === 0 ? 0o644 : 0o755;
    return { path, type: 'file', mode, read: () => readFileSync(file) };
  });
}
