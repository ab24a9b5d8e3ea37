import type { WorkProgress } from '../domain/foundation/work-progress.ts';
import type { CommandIo } from './command-io.ts';
import { clearLine } from './progress-line.ts';

const stages: Readonly<Record<WorkProgress['stage'], string>> = {
  rows: 'rows',
  checks: 'checked',
  files: 'files',
  comparison: 'compared',
};
const redrawMs = 100;

/** Shows on a terminal how far the work is. */
export async function withProgress<T>(
  io: CommandIo,
  work: (options: {
    readonly signal: AbortSignal;
    readonly onProgress: (progress: WorkProgress) => void;
  }) => Promise<T>,
): Promise<T> {
  let drawnAt = Number.NEGATIVE_INFINITY;
  const onProgress = ({ stage, done, total }: WorkProgress) => {
    const isDue = performance.now() - drawnAt >= redrawMs;
    if (!io.isTerminal || !isDue || io.stderr.writableNeedDrain) return;
    drawnAt = performance.now();
    const count = total === undefined ? `${done}` : `${done} of ${total}`;
    io.stderr.write(`${clearLine}${stages[stage]}: ${count}`);
  };
  try {
    return await work({ signal: io.signal, onProgress });
  } catch (error) {
    // A stream that was aborted says less.
    io.signal.throwIfAborted();
    throw error;
  } finally {
    if (io.isTerminal) io.stderr.write(clearLine);
  }
}
