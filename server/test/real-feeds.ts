import { existsSync, readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Feeds of real shows, beside the repository if they are there. They are not part of it. */
const folder = fileURLToPath(new URL('../../../shared/feeds', import.meta.url));

/** File names; empty if the folder is missing, which is printed once. */
export const realFeeds: readonly string[] = existsSync(folder)
  ? readdirSync(folder).filter((name) => name.endsWith('.xml'))
  : [];
if (realFeeds.length === 0) console.warn(`No real feeds in ${folder}: they are not tested.`);

export function readRealFeed(name: string): Promise<Buffer> {
  return readFile(join(folder, name));
}
