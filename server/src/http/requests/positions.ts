import { invalid } from '../../domain/foundation/errors.ts';
import type { EpisodePosition } from '../../domain/public/catalogue/index.ts';
import type { CursorPosition, CursorScope } from '../../lib/cursor.ts';
import type { HttpContext } from '../http-context.ts';

/** Converts the end of a page to the parts of a cursor, and back. */
export interface PositionKind<Position> {
  write(position: Position): CursorPosition;
  read(parts: CursorPosition): Position;
}

/** `parts` are in the order of the cursor. Each function converts a part of the cursor back. */
function describePosition<Position extends object>(
  parts: {
    readonly [Name in keyof Position]: (part: string | number) => Position[Name];
  },
): PositionKind<Position> {
  const names = Object.keys(parts) as (keyof Position & string)[];
  const toPart = (part: unknown) => {
    if (part instanceof Date) return part.toISOString();
    return typeof part === 'boolean' ? Number(part) : (part as string | number);
  };
  return {
    write: (position) => names.map((name) => toPart(position[name])),
    read: (cursor) =>
      Object.fromEntries(
        names.map((name, index) => [name, parts[name](cursor[index] ?? '')]),
      ) as Position,
  };
}

const toDate = (part: string | number) => new Date(part);

export const byCreation = describePosition({ createdAt: toDate, id: String });
export const byPublication = describePosition({ publishedAt: toDate, id: String });
export const byListing = describePosition({ listedAt: toDate, id: String, moves: Number });
export const byFigures = describePosition({
  wasPublic: (part) => part === 1,
  listedAt: toDate,
  id: String,
  moves: Number,
});
export const byDelivery = describePosition({ seq: Number });
export const byRank = describePosition({ position: Number, id: String });
export const byImportedRow = describePosition({ importId: String, position: Number });

/** Reads the cursor of a page or feed of episodes. Throws invalid_request if it was not made for `scope`. */
export function readEpisodePosition(
  http: HttpContext,
  scope: CursorScope,
  cursor: string,
): EpisodePosition {
  const position = http.cursors.decode(scope, cursor);
  if (position === undefined) throw invalid('cursor', 'This page of the list does not exist.');
  return byPublication.read(position);
}
