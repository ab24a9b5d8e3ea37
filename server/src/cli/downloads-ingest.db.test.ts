import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { makeLoggedEpisode, makeLogLine, makeLogLines } from '../../test/access-logs.ts';
import { createTestContext, type TestContext } from '../../test/create-test-context.ts';
import { makeDownloads } from '../../test/downloads.ts';
import { makePipe } from '../../test/make-pipe.ts';
import { runCommand } from '../../test/run-command.ts';
import { newId } from '../lib/uuid.ts';

let test: TestContext;
beforeAll(async () => {
  test = await createTestContext();
});
afterAll(() => test[Symbol.asyncDispose]());

// CLI-21
it('prints the counts of a log, and that it was read before', async () => {
  const episode = await makeLoggedEpisode(test.ctx);
  const cwd = test.config.dataDir;
  const head = makeLogLine(test, episode, { method: 'HEAD', bytes: 0 });
  await writeFile(join(cwd, 'access.log'), `${makeLogLines(test, episode, 3)}${head}nonsense\n`);
  const argv = ['downloads', 'ingest', 'access.log'];
  const report = { file: 'access.log', lines: 5, requests: 4, counted: 3, rejected: { head: 1 } };
  const first = await runCommand(test, argv, { cwd });
  expect(first).toMatchObject({ code: 0, json: { ...report, unreadable: 1, already_read: 0 } });
  expect(Object.keys(first.json)).toEqual([...Object.keys(report), 'unreadable', 'already_read']);
  expect(first.said).toBe(
    'reading the log: 100 %\nUnreadable lines: 1. The first is line 5: it has no known format.\n',
  );
  const again = await runCommand(test, argv, { cwd });
  expect(again.said).toBe('');
  expect(again.json).toEqual({
    ...{ file: 'access.log', lines: 5, requests: 0, counted: 0, rejected: {} },
    ...{ unreadable: 0, already_read: 5 },
  });
});

it('refuses a named pipe, for which it might wait without end', async () => {
  const path = join(test.config.dataDir, 'pipe');
  makePipe(path);
  const ran = await runCommand(test, ['downloads', 'ingest', path]);
  expect(ran).toMatchObject({ code: 1, said: `${path} is not a file, but a named pipe.\n` });
});

it('says which downloads of old days were counted when the audio was sent', async () => {
  const { id, ...episode } = await makeLoggedEpisode(test.ctx);
  await makeDownloads(test.ctx, { id, ...episode }, 2, {}, { isDelivery: true });
  const path = join(test.config.dataDir, newId());
  await writeFile(path, makeLogLines(test, { id, ...episode }, 3, 200));
  test.clock.advance(4 * 86_400_000);
  const ran = await runCommand(test, ['downloads', 'ingest', path]);
  expect(ran).toMatchObject({ code: 0, json: { requests: 3, counted: 1 } });
  expect(ran.said).toContain('2 downloads on past days were counted when Podstead sent the audio.');
});

// CLI-21, COUNT-20
it('warns about a log of Bunny with shortened addresses, and prints the same fields', async () => {
  const episode = await makeLoggedEpisode(test.ctx);
  const path = join(test.config.dataDir, newId());
  const time = test.clock.now().getTime();
  const writeLine = (address: string, number: number) =>
    [
      ...['HIT', 200, time, episode.sizeBytes + 5_000, 390, address, '-'],
      ...[`https://pods.b-cdn.net${episode.path}`, 'DE', 'AntennaPod/3.4'],
      ...[`322b688bd63fb63f2babe9de30a5d26${number}`, 'DE\n'],
    ].join('|');
  await writeFile(path, [1, 2, 3].map((n) => writeLine(`203.0.${n}.0`, n)).join(''));
  const ran = await runCommand(test, ['downloads', 'ingest', path]);
  expect(ran.json).toEqual({
    ...{ file: path, lines: 3, requests: 3, counted: 3, rejected: {} },
    ...{ unreadable: 0, already_read: 0 },
  });
  expect(ran.said).toContain('The log has shortened IP addresses');
  await writeFile(path, [4, 5, 6].map((n) => writeLine(`203.0.${n}.7`, n)).join(''));
  const whole = await runCommand(test, ['downloads', 'ingest', path]);
  expect(whole).toMatchObject({ json: { counted: 3 }, said: 'reading the log: 100 %\n' });
});

it('redraws one line on a terminal', async () => {
  const episode = await makeLoggedEpisode(test.ctx);
  const path = join(test.config.dataDir, 'terminal.log');
  await writeFile(path, makeLogLines(test, episode, 3, 100));
  const { said } = await runCommand(test, ['downloads', 'ingest', path], { isTerminal: true });
  expect(said).toBe('\r\u001b[2Kreading the log: 100 %\r\u001b[2K');
});

it('ingest ends with 100 percent for a caller that reads slowly', async () => {
  const episode = await makeLoggedEpisode(test.ctx);
  const path = join(test.config.dataDir, 'long.log');
  // More than one batch.
  await writeFile(path, makeLogLines(test, episode, 4_500, 1_000));
  let said = '';
  let readOn = () => {};
  const stderr = new Writable({
    highWaterMark: 1,
    write(chunk, _encoding, done) {
      said += chunk;
      readOn = done;
    },
  });
  await runCommand(test, ['downloads', 'ingest', path], { stderr });
  expect(said).toMatch(/^reading the log: \d\d %\n$/);
  readOn();
  await expect.poll(() => said).toMatch(/\nreading the log: 100 %\n$/);
});

// CLI-3
it('reports a failure in one line', async () => {
  const ran = await runCommand(test, ['downloads', 'ingest', '/nowhere/access.log']);
  expect(ran).toMatchObject({ code: 1, json: undefined });
  expect(ran.said.trim().split('\n')).toHaveLength(1);
});

it('refuses a file that is not a log, each time, and shows nothing of it', async () => {
  const path = join(test.config.dataDir, 'cover.png');
  await writeFile(path, '# a comment\n\n203.0.113.7 one\ntwo\n');
  for (let time = 0; time < 2; time += 1) {
    const ran = await runCommand(test, ['downloads', 'ingest', path]);
    expect(ran).toMatchObject({ code: 1, json: undefined });
    expect(ran.said).toBe(
      'file: No line has a known format: the Combined Log Format, JSON lines, or a log of a CDN or of ' +
        'S3. docs/access-logs.md describes them.\n',
    );
  }
});

it.each([
  ['bytes_sent', 'body_bytes_sent', 'has no body_bytes_sent'],
  ['path', 'uri', 'has no uri'],
  ['when', 'time', 'has no time'],
])('names the field that a log lacks that has %s', async (other, field, trouble) => {
  const episode = await makeLoggedEpisode(test.ctx);
  const path = join(test.config.dataDir, newId());
  const whole = makeLogLines(test, episode, 2);
  const renamed = whole.replaceAll(`"${field}":`, `"${other}":`);
  await writeFile(path, renamed);
  const refused = await runCommand(test, ['downloads', 'ingest', path]);
  expect(refused).toMatchObject({ code: 1, json: undefined });
  expect(refused.said).toBe(
    `file: No line can be read: line 1 ${trouble}. docs/access-logs.md lists the fields.\n`,
  );
  await writeFile(path, whole + renamed);
  const ran = await runCommand(test, ['downloads', 'ingest', path]);
  expect(ran).toMatchObject({ code: 0, json: { lines: 4, counted: 2, unreadable: 2 } });
  expect(ran.said).toContain(`Unreadable lines: 2. The first is line 3: it ${trouble}.\n`);
});

it.each([
  ['an empty file', ''],
  ['an empty file that is compressed', gzipSync('')],
])('says that there is nothing to count in %s', async (_, content) => {
  const path = join(test.config.dataDir, newId());
  await writeFile(path, content);
  const ran = await runCommand(test, ['downloads', 'ingest', path]);
  expect(ran).toMatchObject({ code: 0, json: { lines: 0, requests: 0, unreadable: 0 } });
  expect(ran.said).toBe(`${path} is empty: there is nothing to count.\n`);
});

it.each([
  ['a log of CloudFront without a request', () => '#Version: 1.0\n#Fields: date time\n'],
  ['another site', (log: string) => log.replaceAll('/media/', '/other/')],
  ['a deleted episode', (log: string) => log.replaceAll(/media\/[^/]*/g, `media/${newId()}`)],
  ['another bucket', (log: string) => log.replaceAll(/\/media[^"]*/g, `/audio/${newId()}.mp3`)],
])('says that no request is for audio of this installation: %s', async (_, change) => {
  const path = join(test.config.dataDir, newId());
  await writeFile(path, change(makeLogLines(test, await makeLoggedEpisode(test.ctx), 2)));
  const ran = await runCommand(test, ['downloads', 'ingest', path]);
  expect(ran).toMatchObject({ code: 0, json: { lines: 2, requests: 0, unreadable: 0 } });
  expect(ran.said.replace('reading the log: 100 %\n', '')).toBe(
    `${path} has no requests for this installation's audio. docs/access-logs.md says which ` +
      'URLs are recognized.\n',
  );
});

it('ingest does not call a log empty if its compression has only begun', async () => {
  const path = join(test.config.dataDir, `${newId()}.gz`);
  await writeFile(path, '');
  const ran = await runCommand(test, ['downloads', 'ingest', path]);
  expect(ran.code).toBe(1);
  expect(ran.said).toContain(`${path} ends early: its compressed data is incomplete.`);
});

it.each([
  ['within its lines', 0.5],
  ['within its first line', 0],
  ['just before its end', 1],
])('counts a compressed log that ends %s, and only the rest when it is whole', async (_, part) => {
  const episode = await makeLoggedEpisode(test.ctx);
  const path = join(test.config.dataDir, newId());
  const whole = gzipSync(makeLogLines(test, episode, 500));
  // The header of the format alone has ten bytes.
  const end = Math.max(20, Math.floor((whole.length - 8) * part));
  await writeFile(path, whole.subarray(0, end));
  const cut = await runCommand(test, ['downloads', 'ingest', path]);
  expect(cut.code).toBe(1);
  const { lines, counted } = cut.json as { lines: number; counted: number };
  expect(cut.said).toContain(
    `${path} ends early: its compressed data is incomplete. ${lines} complete lines were read, ` +
      `and ${counted} new downloads counted.`,
  );
  expect(cut.json).toMatchObject({ requests: lines, unreadable: 0, already_read: 0 });
  if (part > 0) expect(counted).toBeGreaterThan(100 * part);
  await writeFile(path, whole);
  const again = await runCommand(test, ['downloads', 'ingest', path]);
  const rest = { lines: 500, requests: 500 - lines, counted: 500 - counted };
  expect(again).toMatchObject({ code: 0, json: { ...rest, unreadable: 0, already_read: lines } });
});
