import { PassThrough } from 'node:stream';
import { expect, it } from 'vitest';
import { askLine } from './ask-line.ts';
import { CancelledError } from './describe-failure.ts';

function terminal() {
  const stdin = new PassThrough();
  const stderr = new PassThrough();
  const cancel = new AbortController();
  const asked = askLine('Really? ', { stdin, stderr, signal: cancel.signal });
  asked.catch(() => {});
  return { stdin, stderr, cancel, asked };
}

it('returns the typed line', async () => {
  const { stdin, stderr, asked } = terminal();
  stdin.write('yes\nmore\n');
  expect(await asked).toBe('yes');
  expect(String(stderr.read())).toBe('Really? ');
});

it('returns nothing at the end of input', async () => {
  const { stdin, asked } = terminal();
  stdin.end();
  expect(await asked).toBe('');
});

it('stops waiting when it is cancelled', async () => {
  const { cancel, asked } = terminal();
  cancel.abort(new CancelledError());
  await expect(asked).rejects.toThrow(CancelledError);
});
