import type { Readable, Writable } from 'node:stream';

interface Terminal {
  readonly stdin: Readable;
  readonly stderr: Writable;
  readonly signal: AbortSignal;
}

/** Asks on a terminal and returns the typed line; empty at the end of input. */
export async function askLine(question: string, terminal: Terminal): Promise<string> {
  const { stdin: input, stderr: output, signal } = terminal;
  signal.throwIfAborted();
  const { createInterface } = await import('node:readline/promises');
  const lines = createInterface({ input, output });
  const ended = new Promise<string>((resolve) => lines.once('close', () => resolve('')));
  try {
    return await Promise.race([lines.question(question, { signal }), ended]);
  } catch (error) {
    signal.throwIfAborted();
    throw error;
  } finally {
    lines.close();
  }
}
