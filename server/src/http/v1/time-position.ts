import type { CursorPosition } from '../../lib/cursor.ts';

/** Where a page of a list by time of creation ends. */
interface TimePosition {
  readonly createdAt: Date;
  readonly id: string;
}

export function writeTimePosition({ createdAt, id }: TimePosition): CursorPosition {
  return [createdAt.toISOString(), id];
}

export function readTimePosition([createdAt, id]: CursorPosition): TimePosition {
  return { createdAt: new Date(createdAt ?? ''), id: String(id) };
}
