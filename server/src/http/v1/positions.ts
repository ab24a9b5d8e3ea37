import type { CursorPosition } from '../../lib/cursor.ts';

/** How cursors hold the positions at which the pages of a list end. */
export interface PositionKind<Position> {
  write(position: Position): CursorPosition;
  read(parts: CursorPosition): Position;
}

/** `parts` are in the order in which cursors have them; each is read from what the cursor holds. */
function describePosition<Position extends object>(
  parts: {
    readonly [Name in keyof Position]: (held: string | number) => Position[Name];
  },
): PositionKind<Position> {
  const names = Object.keys(parts) as (keyof Position & string)[];
  const hold = (part: unknown) =>
    part instanceof Date ? part.toISOString() : (part as string | number);
  return {
    write: (position) => names.map((name) => hold(position[name])),
    read: (held) =>
      Object.fromEntries(
        names.map((name, index) => [name, parts[name](held[index] ?? '')]),
      ) as Position,
  };
}

const toDate = (held: string | number) => new Date(held);

export const byCreation = describePosition({ createdAt: toDate, id: String });
export const byPublication = describePosition({ publishedAt: toDate, id: String });
export const byListing = describePosition({ listedAt: toDate, id: String, moves: Number });
export const byRank = describePosition({ position: Number, id: String });
export const byImportedRow = describePosition({ importId: String, position: Number });
