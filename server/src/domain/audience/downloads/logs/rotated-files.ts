import type { Stats } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { basename, dirname, extname, join } from 'node:path';

export interface RotatedFile {
  readonly path: string;
  readonly stats: Stats;
}

/**
 * The files that a rotation has made of a log, in the order in which they were last written to:
 * `x.log.1`, `x.log.2.gz`, `x.log-20261122`, `x-20261122.log`, `x.log.old`. Only those that have
 * changed since.
 */
export async function listRotatedFiles(path: string, since: Date): Promise<RotatedFile[]> {
  const folder = dirname(path);
  const found: RotatedFile[] = [];
  for (const name of await readdir(folder)) {
    if (!isRotatedName(basename(path), name)) continue;
    const rotated = join(folder, name);
    // The file may have been renamed or removed since.
    const stats = await stat(rotated).catch(() => undefined);
    if (stats?.isFile() && stats.mtime >= since) found.push({ path: rotated, stats });
  }
  return found.sort((one, other) => one.stats.mtimeMs - other.stats.mtimeMs);
}

export function isRotatedName(log: string, name: string): boolean {
  const extension = extname(log);
  const stem = log.slice(0, log.length - extension.length);
  if (name.startsWith(log)) return /^[.-](?:old|\d[\w.-]*)$/.test(name.slice(log.length));
  if (!name.startsWith(stem)) return false;
  const rest = name.slice(stem.length).replace(/\.gz$/, '');
  return rest.endsWith(extension) && /^[.-]\d[\w.-]*$/.test(rest);
}
