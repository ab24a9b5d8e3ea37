import { askPassword } from './cli/ask-password.ts';
import { CancelledError } from './cli/describe-failure.ts';
import { runCommandLine } from './cli/run-command-line.ts';

// npm hands on a Ctrl-C that the terminal has sent to us as well: those two are one.
const echoMs = 500;

const stop = new AbortController();
let askedToStopAt = Number.POSITIVE_INFINITY;

function onSignal(): void {
  const now = performance.now();
  if (now - askedToStopAt > echoMs) process.exit(1);
  askedToStopAt = Math.min(askedToStopAt, now);
  stop.abort(new CancelledError());
}

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, onSignal);
// Whoever read our output has stopped reading (`| head`): that is their right.
for (const output of [process.stdout, process.stderr]) {
  output.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
  });
}

process.exitCode = await runCommandLine(process.argv.slice(2), {
  stdout: process.stdout,
  stderr: process.stderr,
  cwd: process.cwd(),
  // Undefined, whatever its type says, for a pipe.
  isTerminal: process.stderr.isTTY === true,
  columns: process.stderr.columns ?? 80,
  signal: stop.signal,
  readPassword: (question) =>
    askPassword(question, { stdin: process.stdin, stderr: process.stderr, signal: stop.signal }),
});
