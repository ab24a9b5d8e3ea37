import { PassThrough } from 'node:stream';
import { expect, it } from 'vitest';
import { askPassword } from './ask-password.ts';
import { CancelledError } from './describe-failure.ts';

function terminal(isTTY: boolean) {
  const stdin = new PassThrough();
  const modes: boolean[] = [];
  const stderr = new PassThrough();
  const cancel = new AbortController();
  Object.assign(stdin, isTTY ? { isTTY, setRawMode: (mode: boolean) => modes.push(mode) } : {});
  const ask = () => askPassword('Password: ', { stdin, stderr, signal: cancel.signal });
  return { stdin, modes, cancel, ask, said: () => String(stderr.read() ?? '') };
}

/** As typed: nothing more comes before it is read. */
async function type(stdin: PassThrough, keys: string): Promise<void> {
  await new Promise<void>((done) => stdin.write(keys, () => done()));
}

it('is the first line of what is not a terminal', async () => {
  for (const [input, password] of [
    ['correct horse\nmore\n', 'correct horse'],
    ['correct horse\r\n', 'correct horse'],
    ['ungerade ü', 'ungerade ü'],
    ['a\bb\u0004\n', 'a\bb\u0004'],
    ['', ''],
  ] as const) {
    const { stdin, ask, said } = terminal(false);
    stdin.end(input);
    expect(await ask()).toBe(password);
    expect(said()).toBe('');
  }
});

it('is asked for twice on a terminal, unseen, and may be mended', async () => {
  const { stdin, modes, ask, said } = terminal(true);
  const asked = ask();
  await type(stdin, 'correkt\u007f\u007fct horse\r');
  await type(stdin, 'correct horse\r');
  expect(await asked).toBe('correct horse');
  expect(said()).toBe('Password: \nOnce more: \n');
  expect(modes).toEqual([true, false, true, false]);
});

it('is refused when the two are not the same', async () => {
  const { stdin, ask } = terminal(true);
  const asked = ask();
  asked.catch(() => {});
  await type(stdin, 'one\r');
  await type(stdin, 'two\r');
  await expect(asked).rejects.toThrow('two different passwords');
});

it('ends with Ctrl-C, and the terminal is as it was', async () => {
  const { stdin, modes, ask } = terminal(true);
  const asked = ask();
  asked.catch(() => {});
  await type(stdin, 'abc\u0003');
  await expect(asked).rejects.toThrow(CancelledError);
  expect(modes).toEqual([true, false]);
});

it('does not wait for a line once it is cancelled', async () => {
  const { cancel, ask } = terminal(false);
  const asked = ask();
  cancel.abort(new CancelledError());
  await expect(asked).rejects.toThrow(CancelledError);
  await expect(ask()).rejects.toThrow(CancelledError);
});

it('is not read without end', async () => {
  const { stdin, ask } = terminal(false);
  stdin.end('x'.repeat(100_000));
  await expect(ask()).rejects.toThrow('too long');
});
