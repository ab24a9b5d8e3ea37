import { PassThrough, Writable } from 'node:stream';
import { expect, it } from 'vitest';
import type { ImportProgress } from '../domain/exchange/imports/index.ts';
import { createProgressLine } from './progress-line.ts';

const audio = (done: number, title?: string): ImportProgress => ({
  phase: 'audio',
  done,
  total: 40,
  title,
});

function line(options: { isTerminal: boolean; columns?: number }, stderr: Writable) {
  const clock = { nowMs: 0 };
  const io = {
    stdout: new PassThrough(),
    stderr,
    cwd: '/',
    isTerminal: options.isTerminal,
    columns: options.columns ?? 80,
    signal: new AbortController().signal,
    canAsk: false,
    ask: async () => '',
    readPassword: async () => '',
  };
  const progress = createProgressLine(io, () => clock.nowMs);
  return { progress, clock };
}

function readable(options: { isTerminal: boolean; columns?: number }) {
  const stderr = new PassThrough();
  return { ...line(options, stderr), said: () => String(stderr.read() ?? '') };
}

it('redraws one line on a terminal', () => {
  const { progress, said } = readable({ isTerminal: true });
  progress.show({ phase: 'feed', done: 2, total: undefined });
  expect(said()).toBe('\r\u001b[2Kreading the feed 2');
  progress.show(audio(10, 'First light'));
  expect(said()).toBe('\r\u001b[2Kaudio [#####...............] 10/40 First light');
  progress.clear();
  expect(said()).toBe('\r\u001b[2K');
});

it('the progress line is drawn at most ten times a second, or for a new phase', () => {
  const { progress, clock, said } = readable({ isTerminal: true });
  for (let done = 0; done <= 40; done += 1) {
    progress.show(audio(done));
    clock.nowMs += 10;
  }
  progress.show({ phase: 'texts', done: 0, total: 1 });
  const drawn = said().split('\r').length - 1;
  expect(drawn).toBe(6);
});

it('prints one line for each phase without a terminal', () => {
  const { progress, said } = readable({ isTerminal: false });
  for (let done = 0; done <= 40; done += 1) progress.show(audio(done));
  progress.show({ phase: 'texts', done: 0, total: 1 });
  progress.clear();
  expect(said()).toBe('audio\ntranscripts and chapters\n');
});

it('keeps a title on one line, and removes control characters', () => {
  const { progress, said } = readable({ isTerminal: true, columns: 60 });
  progress.show(audio(1, 'a\u001b[31m\r\nb\u2028\u009b日本語'.padEnd(500, '語')));
  const drawn = said().slice('\r\u001b[2K'.length);
  expect(drawn).not.toMatch(/[\p{C}\u2028]/u);
  expect(drawn).toContain('1/40 a[31mb日');
  expect(drawn.length).toBeLessThan(60);
});

it('skips updates for a caller that reads slowly', () => {
  const stuck = new Writable({ write: () => {}, highWaterMark: 10 });
  const { progress, clock } = line({ isTerminal: true }, stuck);
  for (let done = 0; done < 100; done += 1) {
    progress.show(audio(done));
    clock.nowMs += 1000;
  }
  expect(stuck.writableLength).toBeLessThan(100);
});
