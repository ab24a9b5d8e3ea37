import { cp, mkdir, readdir, rm, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { repositoryRoot } from './serve-process.ts';

export interface FreshCopy {
  readonly root: string;
  /** Removes the files that `serve` has stored beside the packages. */
  purge(): Promise<void>;
}

/** Not part of the code, or linked separately. */
const notCopied = new Set(['node_modules', '.git', 'bench', 'data', '.env']);
const cacheName = '.cache';

/**
 * A copy of the code as after `npm ci`: without the caches that an earlier start has stored beside
 * the packages. The packages are linked.
 */
export async function makeFreshCopy(root: string): Promise<FreshCopy> {
  for (const name of await readdir(repositoryRoot)) {
    if (notCopied.has(name)) continue;
    await cp(join(repositoryRoot, name), join(root, name), { recursive: true });
  }
  const packages = join(root, 'node_modules');
  await mkdir(packages);
  for (const name of await readdir(join(repositoryRoot, 'node_modules'))) {
    if (name === cacheName) continue;
    await symlink(join(repositoryRoot, 'node_modules', name), join(packages, name));
  }
  return {
    root,
    purge: () => rm(join(packages, cacheName), { recursive: true, force: true }),
  };
}
