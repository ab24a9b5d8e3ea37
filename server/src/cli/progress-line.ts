import type { ImportPhase, ImportProgress } from '../domain/exchange/imports/index.ts';
import type { CommandIo } from './command-io.ts';

export interface ProgressLine extends Disposable {
  show(progress: ImportProgress): void;
  /** Clears the line before other output. */
  clear(): void;
}

const words: Readonly<Record<ImportPhase, string>> = {
  queued: 'waiting for its turn',
  waiting: 'waiting for another import',
  feed: 'reading the feed',
  episodes: 'episodes',
  images: 'pictures',
  texts: 'transcripts and chapters',
  audio: 'audio',
};

const redrawMs = 100;
const barLength = 20;
export const clearLine = '\r\u001b[2K';

/** On a terminal, one line that is redrawn; elsewhere a line for each phase. */
export function createProgressLine(
  io: CommandIo,
  nowMs: () => number = () => performance.now(),
): ProgressLine {
  let drawnAt = Number.NEGATIVE_INFINITY;
  let phase: ImportPhase | undefined;
  const clear = () => {
    if (io.isTerminal && phase !== undefined) io.stderr.write(clearLine);
    phase = undefined;
  };
  return {
    show(progress) {
      const isNew = progress.phase !== phase;
      phase = progress.phase;
      if (!io.isTerminal) {
        if (isNew) io.stderr.write(`${words[progress.phase]}\n`);
        return;
      }
      // Skips updates that a slow caller would only overwrite.
      const isDue = isNew || nowMs() - drawnAt >= redrawMs;
      if (!isDue || io.stderr.writableNeedDrain) return;
      drawnAt = nowMs();
      io.stderr.write(clearLine + fit(draw(progress), io.columns - 1));
    },
    clear,
    [Symbol.dispose]: clear,
  };
}

function draw({ phase, done, total, title }: ImportProgress): string {
  const counts = total === undefined ? `${done}` : `${drawBar(done, total)} ${done}/${total}`;
  return [words[phase], counts, title ?? ''].join(' ').trimEnd();
}

function drawBar(done: number, total: number): string {
  const full = total === 0 ? barLength : Math.round((barLength * Math.min(done, total)) / total);
  return `[${'#'.repeat(full)}${'.'.repeat(barLength - full)}]`;
}

/**
 * Shortens the line to the terminal's width. Titles come from strangers: control characters are
 * removed, and wide characters count as two.
 */
function fit(line: string, columns: number): string {
  let left = columns;
  let fitted = '';
  for (const letter of line.replace(/[\p{C}\p{Zl}\p{Zp}]/gu, '')) {
    left -= letter <= '\u02ff' ? 1 : 2;
    if (left < 0) break;
    fitted += letter;
  }
  return fitted;
}
