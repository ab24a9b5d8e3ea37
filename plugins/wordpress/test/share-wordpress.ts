import {
  openWordPress,
  type StartedWordPress,
  startWordPress,
  type WordPress,
} from './start-wordpress.ts';

/*
 * All files of tests use one WordPress, because starting one takes as long as many tests. A file begins
 * with `resetSite`.
 */

const folderName = 'TEST_WORDPRESS_FOLDER';
let started: StartedWordPress | undefined;

/**
 * Vitest calls this before the first file.
 *
 * @public
 */
export async function setup(): Promise<void> {
  started = await startWordPress();
  process.env[folderName] = started.folder;
}

/**
 * Vitest calls this after the last file.
 *
 * @public
 */
export async function teardown(): Promise<void> {
  await started?.stop();
}

export function openSharedWordPress(): WordPress {
  return openWordPress(process.env[folderName] ?? '');
}
