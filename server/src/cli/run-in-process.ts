import { askPassword } from './ask-password.ts';
import { CancelledError } from './describe-failure.ts';
import { runCommandLine } from './run-command-line.ts';

// npm hands on a Ctrl-C that the terminal has sent to us as well: those two are one.
const echoMs = 500;

/**
 * Carries out this process's own command line, and leaves its exit code. A signal cancels the
 * command, or has a server stop; a second one ends the process at once.
 */
export async function runInProcess(): Promise<void> {
  const stopping = listenToSignals();
  // Whoever read our output has stopped reading (`| head`): that is their right.
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
    // Undefined, whatever its type says, for a pipe.
    isTerminal: stderr.isTTY === true,
    columns: stderr.columns ?? 80,
    signal: stopping,
    readPassword: (question) => askPassword(question, { stdin, stderr, signal: stopping }),
  });
}

function listenToSignals(): AbortSignal {
  const stopping = new AbortController();
  let askedAt = Number.POSITIVE_INFINITY;
  const onSignal = () => {
    const now = performance.now();
    if (now - askedAt > echoMs) process.exit(1);
    askedAt = Math.min(askedAt, now);
    stopping.abort(new CancelledError());
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, onSignal);
  return stopping.signal;
}
