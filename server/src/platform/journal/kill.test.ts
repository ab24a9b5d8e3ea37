import { once } from 'node:events';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { expect, it } from 'vitest';
import { startTestProgram } from '../../../test/start-test-program.ts';
import { openJournal } from './open-journal.ts';

/** Kills a process after it has written `lines` lines. Resolves to the last number it printed. */
async function killAfter(folder: string, lines: number): Promise<number> {
  const program = startTestProgram('write-journal', { JOURNAL_FOLDER: folder });
  let said = 0;
  const output = createInterface(program.stdout).on('line', (line) => {
    said = Number(line);
    if (said >= lines) program.kill('SIGKILL');
  });
  await Promise.all([once(program, 'exit'), once(output, 'close')]);
  return said;
}

it('killed processes lose no written line, and each line is read once', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'podstead-journal-'));
  const said = await Promise.all([50, 400, 1_500].map((lines) => killAfter(folder, lines)));
  await using journal = openJournal({
    folder,
    format: 1,
    maxBytes: 1e9,
    maxUnwrittenBytes: 1e9,
    segmentBytes: 10_000,
    now: () => new Date(),
    report: ({ error }) => expect(error).toBeUndefined(),
  });
  await journal.adopt();
  const written: number[] = [];
  for (const left of journal.adopted) {
    const lines: string[] = [];
    for (const segment of left.segments) lines.push(...((await segment.readLines()) ?? []));
    const numbers = lines.map((line) => Number(line.split(' ')[1]));
    expect(numbers.toSorted((a, b) => a - b)).toEqual(numbers.map((_, index) => index));
    expect(lines.every((line) => line.endsWith(` ${'x'.repeat(100)}`))).toBe(true);
    written.push(numbers.length);
    await left.remove();
  }
  const ascending = (numbers: number[]) => numbers.toSorted((a, b) => a - b);
  expect(ascending(written)).toHaveLength(3);
  ascending(said).forEach((number, index) => {
    expect(ascending(written)[index]).toBeGreaterThanOrEqual(number);
  });
  expect(await readdir(folder)).toEqual([journal.id]);
  await rm(folder, { recursive: true });
});
