import type { Readable } from 'node:stream';
import type { ReadStream } from 'node:tty';
import { CancelledError, CommandError } from './describe-failure.ts';

const maxPasswordLength = 4096;

interface Terminal {
  readonly stdin: ReadStream | Readable;
  readonly stderr: { write(text: string): unknown };
  readonly signal: AbortSignal;
}

/** Asks twice on a terminal, without echo; otherwise reads the first line of standard input. */
export async function askPassword(question: string, terminal: Terminal): Promise<string> {
  const { stdin, signal } = terminal;
  signal.throwIfAborted();
  // Cancelling does not wait for the rest of the line.
  signal.addEventListener('abort', () => stdin.destroy(signal.reason as Error), { once: true });
  stdin.setEncoding('utf8');
  if (!isTerminal(stdin)) return required(await readFirstLine(stdin), noneCame);
  const password = required(await askUnseen(question, stdin, terminal.stderr), noneTyped);
  if ((await askUnseen('Repeat the password: ', stdin, terminal.stderr)) === password)
    return password;
  throw new CommandError('The two passwords differ. Run the command again.');
}

const noneCame =
  'There is no password on standard input. Pass it as one line (… < FILE), or run the command ' +
  'on a terminal.';
const noneTyped = 'No password was entered. Run the command again.';

function required(password: string, refusal: string): string {
  if (password === '') throw new CommandError(refusal);
  return password;
}

async function askUnseen(
  question: string,
  stdin: ReadStream,
  stderr: Terminal['stderr'],
): Promise<string> {
  stderr.write(question);
  stdin.setRawMode(true);
  try {
    return await readFirstLine(stdin);
  } finally {
    stdin.setRawMode(false);
    stderr.write('\n');
  }
}

function isTerminal(stream: ReadStream | Readable): stream is ReadStream {
  return 'isTTY' in stream && stream.isTTY;
}

const enter = /[\r\n]/;
const ctrlC = '\u0003';
const ctrlD = '\u0004';
const erase = /[\b\u007f]/;

/** In raw mode we handle backspace and Ctrl-C; a pipe has neither. */
async function readFirstLine(stdin: ReadStream | Readable): Promise<string> {
  const unseen = isTerminal(stdin);
  const letters: string[] = [];
  for await (const chunk of stdin.iterator({ destroyOnReturn: false })) {
    for (const letter of chunk as string) {
      if (enter.test(letter) || (unseen && letter === ctrlD)) {
        stdin.pause();
        return letters.join('');
      }
      if (unseen && letter === ctrlC) throw new CancelledError();
      if (unseen && erase.test(letter)) letters.pop();
      else letters.push(letter);
      if (letters.length > maxPasswordLength) throw new CommandError('The password is too long.');
    }
  }
  return letters.join('');
}
