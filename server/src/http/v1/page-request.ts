import type { Static, TObject } from 'typebox';
import { invalid } from '../../domain/errors.ts';
import type { CursorFilter, CursorPosition, CursorScope } from '../../lib/cursor.ts';
import type { Web } from '../web.ts';
import type { Pagination } from './schemas.ts';

/** Which page of a list is asked for, and how its answer says where the next one begins. */
export interface PageRequest {
  readonly limit: number;
  /** As a page before gave it to `next`. */
  readonly after: CursorPosition | undefined;
  /** `position`: where the page ends; undefined on the last one. */
  next(position: CursorPosition | undefined): Static<typeof Pagination>;
}

/** A list, as its route says it; `of` is the id of what is listed. */
interface List {
  readonly path: string;
  readonly parameters: TObject | undefined;
  readonly of: string;
}

const defaultLimit = 20;

/** Throws `invalid_request` for a cursor that was not made for this list with these filters. */
export function openPage(web: Web, { path, parameters, of }: List, query: object): PageRequest {
  // Parameters that the list does not know are no filters of it.
  const known = Object.keys(parameters?.properties ?? {}).map((name) => [
    name,
    (query as Record<string, CursorFilter>)[name],
  ]);
  const { limit = defaultLimit, cursor, ...filters } = Object.fromEntries(known) as PageQuery;
  const scope: CursorScope = { endpoint: `GET ${path}`, resource: of, filters };
  return {
    limit,
    after: cursor === undefined ? undefined : readCursor(web, scope, cursor),
    next: (position) => ({
      next_cursor: position === undefined ? null : web.cursors.encode(scope, position),
    }),
  };
}

/** Where the page before ended. Throws `invalid_request` for whatever was not made for `scope`. */
function readCursor(web: Web, scope: CursorScope, text: string): CursorPosition {
  const position = web.cursors.decode(scope, text);
  if (position !== undefined) return position;
  throw invalid('cursor', 'This is no cursor of this list with these filters.');
}

type PageQuery = Record<string, CursorFilter> & {
  readonly limit?: number;
  readonly cursor?: string;
};
