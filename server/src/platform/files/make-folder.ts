import { mkdirSync, statSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';

/** A required folder cannot be created. `code` is the system's, such as EACCES. */
export class FolderError extends Error {
  readonly code: string | undefined;
  readonly path: string;

  constructor(path: string, cause: unknown) {
    const { code, message } = cause as NodeJS.ErrnoException;
    const reason = reasons.get(code ?? '') ?? message;
    super(`the folder ${path} cannot be created: ${reason}`, { cause });
    this.name = 'FolderError';
    this.code = code;
    this.path = path;
  }
}

const defaultMode = 0o777;

const reasons = new Map([
  ['EACCES', 'permission denied'],
  ['EPERM', 'permission denied'],
  ['EROFS', 'the file system is read-only'],
  ['ENOSPC', 'the disk is full'],
  ['EDQUOT', 'the disk quota is used up'],
  ['EEXIST', 'there is something else with its name'],
  ['ENOTDIR', 'a part of its path is not a folder'],
  ['ENOENT', 'its file system does not allow it'],
]);

/**
 * Creates a folder and its missing parents. Resolves to the first one created; undefined if the
 * folder existed. Throws FolderError. Node's recursive mkdir never returns for a path such as
 * /proc/new, where mkdir fails with ENOENT although the parent exists; here each folder is tried at
 * most twice.
 */
export async function makeFolder(path: string, mode = defaultMode): Promise<string | undefined> {
  try {
    return await makeWithParents(path, mode);
  } catch (error) {
    throw new FolderError(path, error);
  }
}

/** The synchronous version, for the start of a process. */
export function makeFolderSync(path: string, mode = defaultMode): void {
  try {
    makeWithParentsSync(path, mode);
  } catch (error) {
    throw new FolderError(path, error);
  }
}

async function makeWithParents(path: string, mode: number): Promise<string | undefined> {
  try {
    await mkdir(path, { mode });
    return path;
  } catch (error) {
    if (isThere(path, error)) return undefined;
    if (!lacksParent(path, error)) throw error;
  }
  const first = await makeWithParents(dirname(path), mode);
  await mkdir(path, { mode }).catch((error: unknown) => {
    // Another process may have created it since.
    if (!isThere(path, error)) throw error;
  });
  return first ?? path;
}

function makeWithParentsSync(path: string, mode: number): void {
  const tryToMake = (): unknown => {
    try {
      mkdirSync(path, { mode });
    } catch (error) {
      if (!isThere(path, error)) return error;
    }
    return undefined;
  };
  const failure = tryToMake();
  if (failure === undefined) return;
  if (!lacksParent(path, failure)) throw failure;
  makeWithParentsSync(dirname(path), mode);
  const again = tryToMake();
  if (again !== undefined) throw again;
}

function isThere(path: string, error: unknown): boolean {
  if (codeOf(error) !== 'EEXIST') return false;
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}

function lacksParent(path: string, error: unknown): boolean {
  return codeOf(error) === 'ENOENT' && dirname(path) !== path;
}

function codeOf(error: unknown): string | undefined {
  return (error as NodeJS.ErrnoException).code;
}
