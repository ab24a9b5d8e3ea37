import type { Writable } from 'node:stream';

/**
 * What a command has of whoever called it: this process, or one on the other end of the control
 * socket.
 */
export interface CommandIo {
  /** JSON alone. */
  readonly stdout: Writable;
  /** Words and progress. */
  readonly stderr: Writable;
  /** Of the caller: relative paths are meant from here. */
  readonly cwd: string;
  /** Of the caller's standard error. */
  readonly isTerminal: boolean;
  /** Width of that terminal, in characters. */
  readonly columns: number;
  /** Aborted by Ctrl-C, SIGTERM, and when the caller goes away. */
  readonly signal: AbortSignal;
  /** Asked on a terminal without echo; else the first line of standard input. */
  readPassword(question: string): Promise<string>;
}

/** The one JSON value a command prints. */
export function printJson(io: Pick<CommandIo, 'stdout'>, value: unknown): void {
  io.stdout.write(`${JSON.stringify(value)}\n`);
}

export function printLine(io: Pick<CommandIo, 'stderr'>, words: string): void {
  io.stderr.write(`${words}\n`);
}
