import { askLine } from './ask-line.ts';
import { askPassword } from './ask-password.ts';
import { CancelledError } from './describe-failure.ts';
import { runCommandLine } from './run-command-line.ts';

// npm forwards a Ctrl-C that the terminal has also sent to us; the two count as one.
const echoMs = 500;
// Of the ten seconds that a process has to stop. Servers stop sooner, once they are serving.
const stopWithinMs = 8_000;

/**
 * Runs this process's command line and sets its exit code. A signal cancels the command or stops
 * the server; a second one ends the process at once.
 */
export async function runInProcess(): Promise<void> {
  let laterMs = 0;
  const stopping = listenToSignals(() => stopWithinMs + laterMs);
  // The reader of our output has closed it (`| head`), which is fine.
  for (const output of [process.stdout, process.stderr]) {
    output.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EPIPE') throw error;
    });
  }
  const { stdin, stdout, stderr } = process;
  process.exitCode = await runCommandLine(process.argv.slice(2), {
    stdout,
    stderr,
    cwd: process.cwd(),
    // Undefined for a pipe, despite its type.
    isTerminal: stderr.isTTY === true,
    columns: stderr.columns ?? 80,
    signal: stopping,
    stopLater: (seconds) => {
      laterMs = seconds * 1_000;
    },
    canAsk: stdin.isTTY === true && stderr.isTTY === true,
    ask: (question) => askLine(question, { stdin, stderr, signal: stopping }),
    readPassword: (question) => askPassword(question, { stdin, stderr, signal: stopping }),
  });
}

function listenToSignals(withinMs: () => number): AbortSignal {
  const stopping = new AbortController();
  let stopRequestedAt = Number.POSITIVE_INFINITY;
  const onSignal = () => {
    const now = performance.now();
    if (now - stopRequestedAt > echoMs) process.exit(1);
    stopRequestedAt = Math.min(stopRequestedAt, now);
    stopping.abort(new CancelledError());
    // In case something outside never responds, for example while a server starts.
    setTimeout(() => process.exit(1), withinMs()).unref();
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, onSignal);
  return stopping.signal;
}
