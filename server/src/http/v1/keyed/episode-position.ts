import type { EpisodeListPosition } from '../../../domain/episodes/index.ts';
import type { CursorPosition } from '../../../lib/cursor.ts';

/** Where a page of episodes ends, as cursors hold it. */
export function writePosition({ listedAt, id, moves }: EpisodeListPosition): CursorPosition {
  return [listedAt.toISOString(), id, moves];
}

export function readPosition([listedAt, id, moves]: CursorPosition): EpisodeListPosition {
  return { listedAt: new Date(listedAt ?? ''), id: String(id), moves: Number(moves) };
}
