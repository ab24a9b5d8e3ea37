/**
 * Stored in this browser for the listener. Without storage, as in a sandboxed frame, nothing is.
 */
interface Remembered {
  rate?: number;
  volume?: number;
  /** Seconds by episode id, the most recent last. */
  at?: Record<string, number>;
}

/** An episode counts as finished this close to its end. */
export const endSeconds = 15;

const key = 'podstead';
const maxPositions = 100;

export function recall(): Remembered {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(key) ?? '{}');
    return stored && typeof stored === 'object' ? stored : {};
  } catch {
    return {};
  }
}

export function remember(change: Pick<Remembered, 'rate' | 'volume'>): void {
  write({ ...recall(), ...change });
}

export function recallPosition(episodeId: string): number {
  return Number(recall().at?.[episodeId]) || 0;
}

/** `undefined` removes the episode: the listener has finished it. */
export function rememberPosition(episodeId: string, seconds: number | undefined): void {
  const stored = recall();
  const others = Object.entries(stored.at ?? {}).filter(([id]) => id !== episodeId);
  const entries: [string, number][] =
    seconds === undefined ? others : [...others, [episodeId, Math.floor(seconds)]];
  write({ ...stored, at: Object.fromEntries(entries.slice(-maxPositions)) });
}

function write(remembered: Remembered): void {
  try {
    localStorage.setItem(key, JSON.stringify(remembered));
  } catch {
    // Storage is full or not allowed.
  }
}
