import type { Writable } from 'node:stream';

/**
 * A command's access to its caller: this process, or one at the other end of the control socket.
 */
export interface CommandIo {
  /** JSON only, except `serve` on a terminal. */
  readonly stdout: Writable;
  /** Messages and progress. */
  readonly stderr: Writable;
  /** The caller's working directory, the base of relative paths. */
  readonly cwd: string;
  /** Whether the caller's standard error is a terminal. */
  readonly isTerminal: boolean;
  /** Width of that terminal, in characters. */
  readonly columns: number;
  /** Aborts on Ctrl-C, on SIGTERM, and when the caller disconnects. */
  readonly signal: AbortSignal;
  /** Gives this process so much more time to stop after a signal. */
  stopLater?(seconds: number): void;
  /** Whether somebody at a terminal can answer questions. */
  readonly canAsk: boolean;
  /** Returns the typed answer; only if `canAsk`. */
  ask(question: string): Promise<string>;
  /** Asks on a terminal without echo; otherwise reads the first line of standard input. */
  readPassword(question: string): Promise<string>;
}

/** Prints the single JSON value of a command. */
export function printJson(io: Pick<CommandIo, 'stdout'>, value: unknown): void {
  io.stdout.write(`${JSON.stringify(value)}\n`);
}

export function printLine(io: Pick<CommandIo, 'stderr'>, words: string): void {
  io.stderr.write(`${words}\n`);
}
