import { readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { findCollection, ownCases } from './collections.ts';

const folders = [join(ownCases, 'feeds'), findCollection('feeds')];
const pathsByName = new Map(
  folders.flatMap((folder) =>
    folder === undefined
      ? []
      : readdirSync(folder)
          .filter((name) => name.endsWith('.xml'))
          .map((name) => [name, join(folder, name)] as const),
  ),
);

/** Feeds in the shape of many generators: file names, our own first. */
export const feedCases: readonly string[] = [...pathsByName.keys()];

export function readFeedCase(name: string): Promise<Buffer> {
  return readFile(pathsByName.get(name) ?? name);
}
