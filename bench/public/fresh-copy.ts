import { cp, mkdir, readdir, rm, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { repositoryRoot } from './serve-process.ts';

export interface FreshCopy {
  readonly root: string;
  /** What `serve` has put beside the packages goes again. */
  purge(): Promise<void>;
}

/** What is not the code, or stands apart from it. */
const notCopied = new Set(['node_modules', '.git', 'bench', 'data', '.env']);
const cacheName = '.cache';

/**
 * The code as it is right after `npm ci`: nothing prepared by an earlier start lies beside the
 * packages. These are linked, all but what they keep.
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
