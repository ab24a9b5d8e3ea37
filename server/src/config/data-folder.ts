import { chmodSync, readdirSync, statSync } from 'node:fs';
import { FolderError, makeFolderSync } from '../platform/files/make-folder.ts';
import { ConfigError } from './environment.ts';

/** The files that an installation keeps in DATA_DIR, and those that a fresh volume contains. */
const ownNames =
  /^(?:blobs|database|downloads|emails|letters|scratch|secret(?:\.\d+)?|podstead\.sock|\.control-.*|lost\+found)$/;

/** Creates DATA_DIR for this user only. Throws ConfigError if that fails. */
export function makeDataFolder(dataDir: string): void {
  try {
    makeFolderSync(dataDir, 0o700);
  } catch (error) {
    if (error instanceof FolderError) throw new ConfigError([`DATA_DIR: ${error.message}.`]);
    throw error;
  }
}

/**
 * Creates DATA_DIR, or removes the access of other users: it holds secrets. A web server that sends
 * files itself (`servedByGroup`) keeps access. Returns a warning if the folder is left as it is,
 * because it belongs to another user or holds other files.
 */
export function prepareDataFolder(dataDir: string, servedByGroup: boolean): string | undefined {
  makeDataFolder(dataDir);
  const allowed = servedByGroup ? 0o710 : 0o700;
  const { mode, uid } = statSync(dataDir);
  if ((mode & 0o777) === allowed) return undefined;
  const isOurs = uid === process.getuid?.() && readdirSync(dataDir).every((n) => ownNames.test(n));
  if (isOurs) {
    chmodSync(dataDir, (mode & 0o7000) | allowed);
    return undefined;
  }
  if ((mode & 0o777 & ~allowed) === 0) return undefined;
  return `other users can open DATA_DIR, which contains secrets: chmod ${allowed.toString(8)} ${dataDir}`;
}
