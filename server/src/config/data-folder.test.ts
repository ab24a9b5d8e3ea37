import { chmodSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { prepareDataFolder } from './data-folder.ts';

let parent: string;
let folder: string;
beforeEach(() => {
  parent = mkdtempSync(join(tmpdir(), 'podstead-data-'));
  folder = join(parent, 'data');
});
afterEach(() => rmSync(parent, { recursive: true }));

const modeOf = (path: string) => statSync(path).mode & 0o777;

describe('prepareDataFolder', () => {
  it('makes a folder that only its owner can open', () => {
    expect(prepareDataFolder(folder, false)).toBeUndefined();
    expect(modeOf(folder)).toBe(0o700);
  });

  it('removes the access of others to an installation', () => {
    mkdirSync(join(folder, 'database'), { recursive: true });
    writeFileSync(join(folder, 'secret'), '');
    chmodSync(folder, 0o755);
    expect(prepareDataFolder(folder, false)).toBeUndefined();
    expect(modeOf(folder)).toBe(0o700);
  });

  it('lets a web server of its group in if that server sends the files', () => {
    prepareDataFolder(folder, true);
    expect(modeOf(folder)).toBe(0o710);
    chmodSync(folder, 0o750);
    prepareDataFolder(folder, true);
    expect(modeOf(folder)).toBe(0o710);
    prepareDataFolder(folder, false);
    expect(modeOf(folder)).toBe(0o700);
  });

  it('leaves a folder with other things in it as it is, and warns', () => {
    mkdirSync(folder);
    writeFileSync(join(folder, 'diary.txt'), '');
    chmodSync(folder, 0o755);
    expect(prepareDataFolder(folder, false)).toBe(
      `other users can open DATA_DIR, which contains secrets: chmod 700 ${folder}`,
    );
    expect(modeOf(folder)).toBe(0o755);
    chmodSync(folder, 0o700);
    expect(prepareDataFolder(folder, true)).toBeUndefined();
  });
});
