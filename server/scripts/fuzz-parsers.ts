import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { maxShowNotesLength } from '../src/lib/html/sanitize-show-notes.ts';
import { ChildProcesses } from '../src/platform/processes/child-processes.ts';
import { ProcessError, type Span } from '../src/platform/processes/job.ts';
import { createRandom, mutate } from './fuzzing/mutate.ts';
import { type FuzzedParser, parsers } from './fuzzing/parsers.ts';

/**
 * node server/scripts/fuzz-parsers.ts [--seconds 60] [--seed 1] [--only NAME] [--keep FOLDER]: gives
 * every parser of foreign bytes damaged files, each for that long. Prints what ended a process, what
 * is not a refusal, the longest time and the most memory. Keeps such files. Exits with 1 if a parser
 * failed.
 */
const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '60' },
    seed: { type: 'string', default: '1' },
    only: { type: 'string' },
    keep: { type: 'string' },
  },
});
const refusals = new Set([
  ...['ImageError', 'AudioError', 'TranscriptError', 'ChaptersError', 'FeedError', 'DomainError'],
  // Show notes that are too long.
  'RangeError',
]);
const slowMs = 2_000;

interface Tally {
  files: number;
  refused: number;
  longestMs: number;
  peakMb: number;
  readonly failures: Map<string, number>;
}

const scratch = await mkdtemp(join(tmpdir(), 'podstead-fuzz-'));
try {
  for (const [name, parser] of Object.entries(parsers)) {
    if (values.only !== undefined && values.only !== name) continue;
    const { failures, ...rest } = await fuzz(name, parser);
    const line = JSON.stringify({ parser: name, ...rest, failures: Object.fromEntries(failures) });
    process.stdout.write(`${line}\n`);
    if (failures.size > 0) process.exitCode = 1;
  }
} finally {
  await rm(scratch, { recursive: true });
}

async function fuzz(name: string, parser: FuzzedParser): Promise<Tally> {
  await using processes = new ChildProcesses({ most: 2 });
  const tally: Tally = { files: 0, refused: 0, longestMs: 0, peakMb: 0, failures: new Map() };
  const random = createRandom(Number(values.seed));
  const samples = await parser.samples();
  const tokens = parser.tokens.map((token) => Buffer.from(token, 'latin1'));
  const until = performance.now() + Number(values.seconds) * 1000;
  while (performance.now() < until) {
    const file = mutate(samples, tokens, random);
    const begun = performance.now();
    const failure = await read(processes, parser, file, tally);
    const ms = Math.round(performance.now() - begun);
    tally.files += 1;
    tally.longestMs = Math.max(tally.longestMs, ms);
    await notePeak(processes, tally);
    const found = failure ?? (ms > slowMs ? 'slow' : undefined);
    if (found === undefined) continue;
    tally.failures.set(found, (tally.failures.get(found) ?? 0) + 1);
    await keep(`${name}-${found}-${tally.files}`, file);
  }
  return tally;
}

/** Why it failed; undefined if it was read or refused. */
async function read(
  processes: ChildProcesses,
  { module, task, input, limits, gives }: FuzzedParser,
  file: Buffer,
  tally: Tally,
): Promise<string | undefined> {
  const path = join(scratch, 'file');
  if (gives === 'path') await writeFile(path, file);
  const given = {
    ...{ path, text: file.toString('utf8').slice(0, maxShowNotesLength) },
    spans: { ...(input as object), sizeBytes: file.length },
  };
  const source = async function* () {
    yield file;
  };
  const spans = async function* ({ at, length }: Span) {
    yield file.subarray(at, at + length);
  };
  try {
    await processes.run(
      {
        ...{ module, task, owner: 'fuzzer' },
        input: gives === undefined ? input : given[gives],
        ...(gives === undefined && { files: [source] }),
        ...(gives === 'spans' && { spans }),
        limits: { ...limits, wallMs: 120_000, resultBytes: 512 * 1024 * 1024 },
      },
      () => {},
    );
  } catch (error) {
    if (error instanceof ProcessError) return error.reason;
    const { name, message } = error as Error;
    if (!refusals.has(name)) return `${name}: ${message}`.slice(0, 100);
    tally.refused += 1;
  }
  return undefined;
}

/** On Linux. */
async function notePeak({ pids }: ChildProcesses, tally: Tally): Promise<void> {
  for (const pid of pids) {
    const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
    const peakMb = Math.round(Number(/VmHWM:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024);
    tally.peakMb = Math.max(tally.peakMb, peakMb);
  }
}

async function keep(name: string, file: Buffer): Promise<void> {
  if (values.keep === undefined) return;
  await mkdir(values.keep, { recursive: true });
  await writeFile(join(values.keep, name.replaceAll(/[^\w.-]+/g, '-')), file);
}
