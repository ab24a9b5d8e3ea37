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

/** Types keys and waits until they are read. */
async function type(stdin: PassThrough, keys: string): Promise<void> {
  await new Promise<void>((done) => stdin.write(keys, () => done()));
}

// CLI-7
it('reads the first line if input is not a terminal', async () => {
  for (const [input, password] of [
    ['correct horse\nmore\n', 'correct horse'],
    ['correct horse\r\n', 'correct horse'],
    ['ungerade ü', 'ungerade ü'],
    ['a\bb\u0004\n', 'a\bb\u0004'],
  ] as const) {
    const { stdin, ask, said } = terminal(false);
    stdin.end(input);
    expect(await ask()).toBe(password);
    expect(said()).toBe('');
  }
});

// CLI-7
it('asks twice on a terminal, without echo, with backspace', async () => {
  const { stdin, modes, ask, said } = terminal(true);
  const asked = ask();
  await type(stdin, 'correkt\u007f\u007fct horse\r');
  await type(stdin, 'correct horse\r');
  expect(await asked).toBe('correct horse');
  expect(said()).toBe('Password: \nRepeat the password: \n');
  expect(modes).toEqual([true, false, true, false]);
});

it('reports a missing password', async () => {
  for (const input of ['', '\n', '\r\nlater\n']) {
    const { stdin, ask } = terminal(false);
    stdin.end(input);
    await expect(ask(), input).rejects.toThrow(
      /^There is no password on standard input\. Pass it as one line/,
    );
  }
  const { stdin, ask } = terminal(true);
  const asked = ask();
  asked.catch(() => {});
  await type(stdin, '\r');
  await expect(asked).rejects.toThrow('No password was entered');
});

it('refuses two different passwords', async () => {
  const { stdin, ask } = terminal(true);
  const asked = ask();
  asked.catch(() => {});
  await type(stdin, 'one\r');
  await type(stdin, 'two\r');
  await expect(asked).rejects.toThrow('The two passwords differ');
});

it('the prompt ends with Ctrl-C and restores the terminal', async () => {
  const { stdin, modes, ask } = terminal(true);
  const asked = ask();
  asked.catch(() => {});
  await type(stdin, 'abc\u0003');
  await expect(asked).rejects.toThrow(CancelledError);
  expect(modes).toEqual([true, false]);
});

it('stops waiting when it is cancelled', async () => {
  const { cancel, ask } = terminal(false);
  const asked = ask();
  cancel.abort(new CancelledError());
  await expect(asked).rejects.toThrow(CancelledError);
  await expect(ask()).rejects.toThrow(CancelledError);
});

it('limits the length', async () => {
  const { stdin, ask } = terminal(false);
  stdin.end('x'.repeat(100_000));
  await expect(ask()).rejects.toThrow('too long');
});
