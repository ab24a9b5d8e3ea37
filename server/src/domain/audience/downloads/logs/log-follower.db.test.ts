import {
  appendFile,
  copyFile,
  mkdir,
  rename,
  rm,
  stat,
  truncate,
  utimes,
  writeFile,
} from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  countedDownloads,
  countRequests,
  type LoggedEpisode,
  makeLoggedEpisode,
  makeLogLines,
} from '../../../../../test/access-logs.ts';
import { createTestContext, type TestContext } from '../../../../../test/create-test-context.ts';
import { newId } from '../../../../lib/uuid.ts';
import { ingestLog } from './ingest-log.ts';
import { LogFollower } from './log-follower.ts';

let test: TestContext;
let episode: LoggedEpisode;
let folder: string;
let path: string;
let follower: LogFollower;
let since: Date | null;
let nowMs = 0;
beforeAll(async () => {
  test = await createTestContext();
});
afterAll(() => test[Symbol.asyncDispose]());
beforeEach(async () => {
  episode = await makeLoggedEpisode(test.ctx);
  folder = join(test.config.dataDir, newId());
  await mkdir(folder);
  path = join(folder, 'access.log');
  since = null;
  follower = start();
});
afterEach(() => follower[Symbol.asyncDispose]());

const start = () => new LogFollower(path, { geo: test.geo }, () => nowMs);
const readOn = async () => {
  since = await follower.readOn(test.ctx, since);
};
/** As if the process had died. */
const restart = async () => {
  await follower[Symbol.asyncDispose]();
  follower = start();
};
const lines = (count: number, first: number) => makeLogLines(test, episode, count, first);
/** Each line is of another listener, so only the evidence shows a line that is read twice. */
const counted = async () => {
  const downloads = await countedDownloads(test, episode);
  expect(await countRequests(test, episode)).toBe(downloads);
  return downloads;
};

describe('a log that grows', () => {
  it('a log that grows is read from its beginning, and then continued', async () => {
    await writeFile(path, lines(3, 1));
    await readOn();
    expect(await counted()).toBe(3);
    await appendFile(path, lines(2, 4));
    await readOn();
    await readOn();
    expect(await counted()).toBe(5);
  });

  it('a log that grows is read up to the end of its last complete line', async () => {
    const two = lines(2, 1);
    await writeFile(path, two.slice(0, -20));
    await readOn();
    expect(await counted()).toBe(1);
    await appendFile(path, two.slice(-20));
    await readOn();
    expect(await counted()).toBe(2);
  });

  it('a log that grows is continued by the next process', async () => {
    await writeFile(path, lines(3, 1));
    await readOn();
    await restart();
    await appendFile(path, lines(2, 4));
    await readOn();
    expect(await counted()).toBe(5);
  });

  it('a log that grows may not be there yet, or be empty', async () => {
    await expect(readOn()).rejects.toThrow('ENOENT');
    await writeFile(path, '');
    await readOn();
    await appendFile(path, lines(1, 1));
    await readOn();
    expect(await counted()).toBe(1);
  });

  it('a log that grows is the same log as the one that the command reads', async () => {
    await writeFile(path, lines(3, 1));
    await readOn();
    await appendFile(path, lines(2, 4));
    const ingested = await ingestLog(test.ctx, test.geo, { path });
    expect(ingested).toMatchObject({ counted: 2, alreadyRead: 3 });
    await appendFile(path, lines(1, 6));
    await readOn();
    expect(await counted()).toBe(6);
  });
});

describe('rotation', () => {
  beforeEach(async () => {
    await writeFile(path, lines(3, 1));
    await readOn();
  });

  it('a log that is renamed is read once while the server writes to the old file for a while', async () => {
    await rename(path, `${path}.1`);
    await appendFile(`${path}.1`, lines(1, 4));
    await expect(readOn()).rejects.toThrow('ENOENT');
    expect(await counted()).toBe(4);
    await writeFile(path, lines(1, 5));
    await readOn();
    await appendFile(`${path}.1`, lines(1, 6));
    await appendFile(path, lines(1, 7));
    await readOn();
    expect(await counted()).toBe(7);
    nowMs += 60_000;
    await readOn();
    await appendFile(path, lines(1, 8));
    await readOn();
    expect(await counted()).toBe(8);
  });

  it('a log that is renamed twice is read once while the server writes to each file for a while', async () => {
    await rename(path, `${path}.1`);
    await writeFile(path, lines(1, 4));
    await rename(`${path}.1`, `${path}.2`);
    await rename(path, `${path}.1`);
    await writeFile(path, lines(1, 5));
    await readOn();
    await appendFile(`${path}.2`, lines(1, 6));
    await appendFile(`${path}.1`, lines(1, 7));
    await readOn();
    expect(await counted()).toBe(7);
  });

  it('a log that is renamed is read once while the server writes to the old file for long', async () => {
    await rename(path, `${path}.1`);
    await writeFile(path, lines(1, 4));
    for (let n = 5; n < 8; n += 1) {
      await readOn();
      nowMs += 40_000;
      await appendFile(`${path}.1`, lines(1, n));
    }
    await readOn();
    expect(await counted()).toBe(7);
  });

  it('a log that is renamed just before the process ends is read by the next one, in both files', async () => {
    await rename(path, `${path}.1`);
    await writeFile(path, lines(1, 4));
    await readOn();
    const { mtime } = await stat(path);
    await appendFile(`${path}.1`, lines(1, 5));
    // Written before the new file, and noticed by nobody until now.
    const before = new Date(mtime.getTime() - 1);
    await utimes(`${path}.1`, before, before);
    await restart();
    await readOn();
    expect(await counted()).toBe(5);
  });

  it('a log is read once from copies, of which the second is made before lines in between are read', async () => {
    await copyFile(path, `${path}.1`);
    await truncate(path);
    await readOn();
    await writeFile(path, lines(2, 4));
    await rename(`${path}.1`, `${path}.2`);
    await copyFile(path, `${path}.1`);
    await truncate(path);
    await readOn();
    await appendFile(path, lines(1, 6));
    await readOn();
    expect(await counted()).toBe(6);
  });

  it('a log is read once if it is copied and then emptied', async () => {
    await appendFile(path, lines(2, 4));
    await copyFile(path, `${path}.1`);
    await truncate(path);
    await readOn();
    expect(await counted()).toBe(5);
    await appendFile(path, lines(1, 6));
    await readOn();
    expect(await counted()).toBe(6);
  });

  it('a log is read once if it is copied and then grows beyond its old size', async () => {
    await appendFile(path, lines(2, 4));
    await copyFile(path, `${path}.1`);
    await truncate(path);
    await appendFile(path, lines(9, 6));
    await readOn();
    expect(await counted()).toBe(14);
  });

  it.each([false, true])(
    'several times while no process followed; compressed: %s',
    async (isCompressed) => {
      await restart();
      const rotated = lines(3, 1) + lines(2, 4);
      const second = lines(2, 6);
      if (isCompressed) {
        await rm(path);
        await writeFile(`${path}.2.gz`, gzipSync(rotated));
        await writeFile(`${path}.1.gz`, gzipSync(second));
      } else {
        await rename(path, `${path}.2`);
        await appendFile(`${path}.2`, lines(2, 4));
        await writeFile(`${path}.1`, second);
      }
      await writeFile(path, lines(1, 8));
      await readOn();
      expect(await counted()).toBe(8);
      await restart();
      await readOn();
      expect(await counted()).toBe(8);
    },
  );

  it('a log is read once if a container was replaced and the new one gives it another name', async () => {
    await restart();
    since = null;
    await writeFile(`${path}.3`, lines(5, 100));
    const long = new Date(Date.now() - 86_400_000);
    await utimes(`${path}.3`, long, long);
    await rename(path, `${path}.2`);
    await appendFile(`${path}.2`, lines(2, 4));
    await writeFile(`${path}.1.gz`, gzipSync(lines(2, 6)));
    await writeFile(path, lines(1, 8));
    await readOn();
    expect(await counted()).toBe(8);
    await restart();
    since = null;
    await readOn();
    expect(await counted()).toBe(8);
  });

  it('a rotated file is read once if another one cannot be read', async () => {
    let searches = 0;
    const db = test.ctx.db.withPlugin({
      transformQuery({ node }) {
        if (JSON.stringify(node).includes('"download_logs"')) searches += 1;
        return node;
      },
      transformResult: async ({ result }) => result,
    });
    await restart();
    await rename(path, `${path}.2`);
    await appendFile(`${path}.2`, lines(2, 4));
    await writeFile(path, lines(1, 8));
    const damaged = gzipSync(lines(500, 200)).fill(9, 30);
    await writeFile(`${path}.1.gz`, damaged);
    const readAgain = () => follower.readOn({ ...test.ctx, db }, null);
    await expect(readAgain()).rejects.toThrow('damaged');
    expect(searches).toBeGreaterThan(0);
    searches = 0;
    for (let n = 0; n < 3; n += 1) {
      nowMs += 61_000;
      await expect(readAgain()).rejects.toThrow('damaged');
    }
    expect(searches).toBe(0);
    await writeFile(`${path}.1.gz`, gzipSync(lines(2, 6)));
    await readAgain();
    expect(await counted()).toBe(8);
  });

  it('a rotated file is read when its compression has ended', async () => {
    await restart();
    await rm(path);
    await writeFile(`${path}.1.gz`, '');
    await writeFile(path, lines(1, 900));
    await readOn();
    const whole = gzipSync(lines(800, 1));
    for (const part of [0.3, 0.6]) {
      await writeFile(`${path}.1.gz`, whole.subarray(0, Math.floor(whole.length * part)));
      nowMs += 50_000;
      await readOn();
      expect(await counted()).toBe(4);
    }
    await writeFile(`${path}.1.gz`, whole);
    await readOn();
    expect(await counted()).toBe(801);
    nowMs += 61_000;
    await readOn();
    await restart();
    await readOn();
    expect(await counted()).toBe(801);
  });

  it('a rotated file is read as far as possible if its compression stops', async () => {
    await restart();
    const whole = gzipSync(lines(800, 1));
    await rm(path);
    await writeFile(`${path}.1.gz`, whole.subarray(0, whole.length - 8));
    await writeFile(path, lines(1, 900));
    await readOn();
    expect(await counted()).toBe(4);
    nowMs += 61_000;
    await readOn();
    expect(await counted()).toBe(801);
  });

  it('a rotated file is not read again from a compression that was interrupted', async () => {
    await restart();
    await rename(path, `${path}.1`);
    await appendFile(`${path}.1`, lines(796, 4));
    const whole = gzipSync(lines(3, 1) + lines(796, 4));
    await writeFile(`${path}.1.gz`, whole.subarray(0, Math.floor(whole.length / 2)));
    await writeFile(path, lines(1, 900));
    for (let n = 0; n < 3; n += 1) {
      await readOn();
      expect(await counted()).toBe(800);
      nowMs += 61_000;
    }
  });

  it('a rotation before the log was followed is left alone, also if files are damaged', async () => {
    await restart();
    since = null;
    await rm(path);
    await writeFile(`${path}.1`, lines(2, 100));
    await writeFile(`${path}.2.gz`, gzipSync(lines(500, 200)).subarray(0, 100).fill(9, 30));
    await writeFile(path, lines(1, 4));
    await readOn();
    expect(await counted()).toBe(4);
  });

  it('rotation during a restart does not touch older logs', async () => {
    const old = `${path}.3`;
    await writeFile(old, lines(5, 100));
    const lastYear = new Date(Date.now() - 300 * 86_400_000);
    await utimes(old, lastYear, lastYear);
    await writeFile(join(folder, 'access.log.bak'), lines(5, 200));
    await restart();
    await readOn();
    expect(await counted()).toBe(3);
  });
});
