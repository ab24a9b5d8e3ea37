import { existsSync, readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Feeds of real shows, read from where they are at hand; never a part of this repository. */
const folder = fileURLToPath(new URL('../../../shared/feeds', import.meta.url));

/** File names; none where the folder is absent, which is said once. */
export const realFeeds: readonly string[] = existsSync(folder)
  ? readdirSync(folder).filter((name) => name.endsWith('.xml'))
  : [];
if (realFeeds.length === 0) console.warn(`No real feeds in ${folder}: they are not tested.`);

export function readRealFeed(name: string): Promise<Buffer> {
  return readFile(join(folder, name));
}
