import {
  type FileHandle,
  mkdir,
  mkdtemp,
  open,
  readdir,
  rm,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { patience } from '../../../test/patience.ts';
import { createTestClock } from '../../../test/test-clock.ts';
import type {
  AdoptedJournal,
  Journal,
  JournalOptions,
  JournalTrouble,
  Segment,
} from './journal.ts';
import { openJournal } from './open-journal.ts';

let parent: string;
let folder: string;
let clock: ReturnType<typeof createTestClock>;
let troubles: JournalTrouble[];
beforeEach(async () => {
  parent = await mkdtemp(join(tmpdir(), 'podstead-journal-'));
  folder = join(parent, 'downloads');
  clock = createTestClock();
  troubles = [];
});
afterEach(() => rm(parent, { recursive: true }));

const openHere = (given: Partial<JournalOptions> = {}) =>
  openJournal({
    folder,
    format: 1,
    maxBytes: 100_000,
    maxUnwrittenBytes: 10_000,
    segmentBytes: 1_000,
    now: () => clock.now(),
    report: (trouble) => void troubles.push(trouble),
    ...given,
  });
const append = (journal: Journal, ...lines: string[]) =>
  lines.map((line) => journal.append(line, clock.now()));
async function linesOf(segments: Iterable<Segment>): Promise<string[]> {
  const lines = await Promise.all([...segments].map((segment) => segment.readLines()));
  return lines.flatMap((some) => some ?? []);
}
async function readAll(journal: Journal): Promise<string[]> {
  await journal.completeSegment();
  return linesOf(journal.segments);
}
/** Creates an abandoned journal of another process with these lines. Returns its id. */
async function leave(...lines: string[]): Promise<string> {
  await using journal = openHere();
  append(journal, ...lines);
  await journal.completeSegment();
  return journal.id;
}
async function adoptOnly(journal: Journal): Promise<AdoptedJournal> {
  await journal.adopt();
  const [adopted, ...others] = journal.adopted;
  expect(others).toEqual([]);
  return adopted as AdoptedJournal;
}
/** The prototype of all open files. */
async function fileHandles(): Promise<FileHandle> {
  await using handle = await open(parent, 'r');
  return Object.getPrototypeOf(handle) as FileHandle;
}
const diskFull = () => Object.assign(new Error('no space'), { code: 'ENOSPC' });

describe('a journal', () => {
  it('returns lines in order, once each, in segments', async () => {
    await using journal = openHere({ segmentBytes: 100 });
    const lines = Array.from({ length: 50 }, (_, n) => `line ${n} ä€𝄞`);
    for (const line of lines) {
      append(journal, line);
      if (line.includes('7')) await journal.completeSegment();
    }
    expect(await readAll(journal)).toEqual(lines);
    expect(journal.segments.length).toBeGreaterThan(5);
    expect(new Set(journal.segments.map(({ id }) => id)).size).toBe(journal.segments.length);
    const size = journal.segments.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
    expect(journal.sizeBytes).toBe(size);
    for (const segment of journal.segments) await segment.remove();
    expect(journal).toMatchObject({ segments: [], sizeBytes: 0, droppedCount: 0 });
    expect(await readAll(journal)).toEqual([]);
    expect(troubles).toEqual([]);
  });

  it('writes on its own, and starts a new segment when one is full', async () => {
    await using journal = openHere({ segmentBytes: 30 });
    append(journal, 'a'.repeat(20), 'b'.repeat(20), 'c');
    await vi.waitUntil(() => journal.segments.length === 1, patience);
    expect(await linesOf(journal.segments)).toEqual(['a'.repeat(20), 'b'.repeat(20)]);
  });

  it('reports how long lines have waited and the earliest time in them', async () => {
    await using journal = openHere();
    expect(journal).toMatchObject({ waitingSince: undefined, earliestAt: undefined });
    const start = clock.now();
    const before = new Date(start.getTime() - 5_000);
    journal.append('an hour of audio', before);
    expect(journal).toMatchObject({ waitingSince: start, earliestAt: before });
    await journal.completeSegment();
    clock.advance(1_000);
    append(journal, 'later');
    expect(journal).toMatchObject({ waitingSince: start, earliestAt: before });
    await journal.segments[0]?.remove();
    expect(journal).toMatchObject({ waitingSince: clock.now(), earliestAt: clock.now() });
    await readAll(journal);
    expect(journal).toMatchObject({ waitingSince: clock.now(), earliestAt: clock.now() });
  });

  it('drops lines beyond its limit until others are read', async () => {
    await using journal = openHere({ maxBytes: 100 });
    const line = 'x'.repeat(39);
    expect(append(journal, line, line, line)).toEqual([true, true, false]);
    await journal.completeSegment();
    expect(append(journal, line)).toEqual([false]);
    expect(journal.droppedCount).toBe(2);
    expect(troubles).toEqual([{ error: undefined, dropped: 1 }]);
    await journal.segments[0]?.remove();
    expect(append(journal, line)).toEqual([true]);
    expect(await readAll(journal)).toEqual([line]);
  });

  it('refuses a line break inside a line, and every line after closing', async () => {
    const journal = openHere();
    expect(append(journal, 'a\nb')).toEqual([false]);
    await journal[Symbol.asyncDispose]();
    expect(append(journal, 'a')).toEqual([false]);
    expect(journal.droppedCount).toBe(2);
  });

  it('a journal is readable only for this user', async () => {
    await using journal = openHere();
    append(journal, 'a');
    await journal.completeSegment();
    const mode = async (...path: string[]) => (await stat(join(folder, ...path))).mode & 0o777;
    expect(await mode()).toBe(0o700);
    expect(await mode(journal.id)).toBe(0o700);
    const [segment = ''] = (await readdir(join(folder, journal.id))).filter((n) => n !== 'lock');
    expect(await mode(journal.id, segment)).toBe(0o600);
  });

  it('leaves no file if no line waits', async () => {
    const journal = openHere();
    append(journal, 'a');
    await journal.completeSegment();
    await journal.segments[0]?.remove();
    await journal[Symbol.asyncDispose]();
    expect(await readdir(folder)).toEqual([]);
  });

  it('creates its folder again if it was removed', async () => {
    await using journal = openHere();
    append(journal, 'a');
    await journal.completeSegment();
    await rm(folder, { recursive: true });
    append(journal, 'b');
    await vi.waitFor(async () => {
      await journal.completeSegment();
      expect(journal.segments).toHaveLength(2);
    }, patience);
    expect(await linesOf(journal.segments.slice(1))).toEqual(['b']);
  });
});

describe('a full disk', () => {
  it('a full disk loses and repeats no line while memory can hold them', async () => {
    await using journal = openHere();
    append(journal, 'first');
    await journal.completeSegment();
    const handles = await fileHandles();
    const write = handles.write as (this: FileHandle, ...args: unknown[]) => Promise<unknown>;
    const spy = vi.spyOn(handles, 'write');
    try {
      // The write fails after a part of the bytes is on disk.
      spy.mockImplementationOnce(async function (this: FileHandle, ...args: unknown[]) {
        const [bytes, offset, , position] = args;
        await write.call(this, bytes, offset, 9, position);
        throw diskFull();
      } as never);
      append(journal, 'second', 'and more');
      await journal.completeSegment();
    } finally {
      spy.mockRestore();
    }
    expect(troubles).toEqual([{ error: diskFull(), dropped: 0 }]);
    append(journal, 'third');
    expect(await readAll(journal)).toEqual(['first', 'second', 'and more', 'third']);
  });

  it('hands over what it cannot write, once, and drops it if it is not removed', async () => {
    await writeFile(folder, 'no folder');
    for (const isRemoved of [true, false]) {
      await using journal = openHere();
      journal.append('a ä', clock.now(), 5);
      journal.append('b', clock.now());
      const segment = (await journal.handOverUnwritten()) ?? expect.unreachable();
      expect(await segment.readLines()).toEqual(['a ä', 'b']);
      append(journal, 'later');
      await rm(folder);
      if (isRemoved) await segment.remove();
      await journal[Symbol.asyncDispose]();
      expect(journal.droppedCount).toBe(isRemoved ? 1 : 7);
      expect(await readdir(folder).catch(() => [])).toEqual([]);
      await writeFile(folder, 'no folder');
    }
    await rm(folder);
    await using journal = openHere();
    append(journal, 'c');
    expect(await journal.handOverUnwritten()).toBeUndefined();
    expect(await readAll(journal)).toEqual(['c']);
  });

  it('drops lines that memory cannot hold, and continues when there is space', async () => {
    await writeFile(folder, 'no folder');
    await using journal = openHere({ maxUnwrittenBytes: 10 });
    expect(append(journal, 'a', 'b', 'much too long')).toEqual([true, true, false]);
    await vi.waitUntil(() => troubles.length > 0, patience);
    await rm(folder);
    await vi.waitFor(async () => expect(await readAll(journal)).toEqual(['a', 'b']), patience);
    expect(journal.droppedCount).toBe(1);
  });

  it('a full disk loses unwritten lines when the journal is closed', async () => {
    await writeFile(folder, 'no folder');
    const journal = openHere();
    append(journal, 'a');
    await journal[Symbol.asyncDispose]();
    expect(journal.droppedCount).toBe(1);
  });
});

describe('an abandoned journal', () => {
  it('an abandoned journal is adopted with its lines, and can be removed', async () => {
    const id = await leave('a', 'b');
    await using journal = openHere();
    const adopted = await adoptOnly(journal);
    expect(adopted.id).toBe(id);
    expect(journal).toMatchObject({ segments: [], sizeBytes: 4, earliestAt: undefined });
    expect(journal.waitingSince).toEqual(clock.now());
    expect(await linesOf(adopted.segments)).toEqual(['a', 'b']);
    await journal.adopt();
    expect(journal.adopted).toEqual([adopted]);
    for (const segment of adopted.segments) await segment.remove();
    expect(adopted.segments.size).toBe(0);
    await adopted.remove();
    expect(await readdir(folder)).toEqual([journal.id]);
    await journal.adopt();
    expect(journal.adopted).toEqual([]);
    expect(journal.sizeBytes).toBe(0);
  });

  it('an abandoned journal is adopted beside others that cannot be', async () => {
    const ids = [await leave('a'), await leave('b'), await leave('c')];
    // The first in the folder, whichever it is.
    const [broken = ''] = await readdir(folder);
    const link = join(folder, broken, '1-00000000-0000-4000-8000-000000000000.lines');
    await symlink('nowhere', link);
    await using journal = openHere();
    await journal.adopt();
    const adoptedIds = () => journal.adopted.map(({ id }) => id).sort();
    expect(adoptedIds()).toEqual(ids.filter((id) => id !== broken).sort());
    expect(troubles).toHaveLength(1);
    await rm(link);
    await journal.adopt();
    expect(adoptedIds()).toEqual(ids.sort());
  });

  it('an abandoned journal keeps the ids of its segments after each adoption', async () => {
    await leave('a');
    const ids = async () => {
      await using journal = openHere();
      const adopted = await adoptOnly(journal);
      return [...adopted.segments].map(({ id }) => id);
    };
    const [first] = await ids();
    expect(first).toMatch(/^[0-9a-f-]{36}$/);
    expect(await ids()).toEqual([first]);
  });

  it('returns only complete lines', async () => {
    const id = await leave('whole');
    const [name = ''] = (await readdir(join(folder, id))).filter((entry) => entry !== 'lock');
    await writeFile(join(folder, id, name), 'whole\nto');
    await writeFile(join(folder, id, name.replace(/.{8}\.lines$/, '00000000.lines')), 'torn');
    await writeFile(join(folder, id, 'something else'), 'x\n');
    await using journal = openHere();
    const { segments } = await adoptOnly(journal);
    expect(segments.size).toBe(2);
    expect(await linesOf(segments)).toEqual(['whole']);
  });

  it('an abandoned journal is adopted by only one of several processes', async () => {
    await leave('a');
    const journals = [openHere(), openHere(), openHere()];
    await Promise.all(journals.map((journal) => journal.adopt()));
    expect(journals.map(({ adopted }) => adopted.length).toSorted()).toEqual([0, 0, 1]);
    for (const journal of journals) await journal[Symbol.asyncDispose]();
  });

  it('an abandoned journal counts against the limit', async () => {
    await leave('x'.repeat(60));
    await using journal = openHere({ maxBytes: 100 });
    const adopted = await adoptOnly(journal);
    expect(append(journal, 'y'.repeat(50))).toEqual([false]);
    await adopted.remove();
    expect(append(journal, 'y'.repeat(50))).toEqual([true]);
  });

  it('an abandoned journal is left alone if a newer version wrote it, and adopted by that version', async () => {
    const newer = openHere({ format: 3 });
    append(newer, 'a', 'b');
    await newer.completeSegment();
    await using journal = openHere({ format: 2 });
    await journal.adopt();
    expect(journal.newerBytes).toBe(0);
    await newer[Symbol.asyncDispose]();
    await journal.adopt();
    expect(journal).toMatchObject({ adopted: [], sizeBytes: 0, newerBytes: 4 });
    await using next = openHere({ format: 3 });
    const adopted = await adoptOnly(next);
    expect(adopted.id).toBe(newer.id);
    expect(await linesOf(adopted.segments)).toEqual(['a', 'b']);
    await journal.adopt();
    expect(journal.newerBytes).toBe(0);
  });

  it('an abandoned journal is adopted if an earlier version wrote it', async () => {
    const id = await leave('a');
    await using journal = openHere({ format: 2 });
    expect((await adoptOnly(journal)).id).toBe(id);
  });

  it('an abandoned journal is not adopted while its process lives, and other folders are ignored', async () => {
    await using other = openHere();
    append(other, 'a');
    await other.completeSegment();
    await mkdir(join(folder, 'lost+found'));
    await using journal = openHere();
    await journal.adopt();
    expect(journal.adopted).toEqual([]);
    expect(await readAll(other)).toEqual(['a']);
    expect(await readdir(join(folder, 'lost+found'))).toEqual([]);
  });
});
