import type { Static, TObject } from 'typebox';
import type { CursorFilter, CursorPosition, CursorScope } from '../../lib/cursor.ts';
import type { HttpContext } from '../http-context.ts';
import type { CheckInput } from '../route.ts';
import { defaultPageSize } from './parameters.ts';
import type { Pagination } from './schemas.ts';

/** The requested page of a list, and how its answer says where the next page begins. */
export interface PageRequest {
  readonly limit: number;
  /** The cursor that the page before gave to `next`. */
  readonly after: CursorPosition | undefined;
  /** `position` is where the page ends; undefined on the last page. */
  next(position: CursorPosition | undefined): Static<typeof Pagination>;
}

/** A list, as its route describes it; `of` is the id of the resource whose items it lists. */
interface List {
  readonly path: string;
  readonly parameters: TObject | undefined;
  readonly of: string;
}

/** Part of a route's `check`: refuses a cursor that was not made for this list with these filters. */
export function openPage(
  http: HttpContext,
  list: List,
  { query, refused, refuse }: Pick<CheckInput<object, object>, 'query' | 'refused' | 'refuse'>,
): PageRequest {
  const { limit = defaultPageSize, cursor, scope } = readQuery(list, query);
  // No cursor can belong to a list with an invalid filter.
  const isList = Object.keys(scope.filters).every((name) => !refused.has(name));
  const after = cursor === undefined || !isList ? undefined : http.cursors.decode(scope, cursor);
  if (cursor !== undefined && after === undefined) refuse(foreignCursor);
  return {
    limit,
    after,
    next: (position) => ({
      next_cursor: position === undefined ? null : http.cursors.encode(scope, position),
    }),
  };
}

const foreignCursor = {
  field: 'cursor',
  message:
    'This cursor does not belong to this list with these filters. Leave it out to start again.',
};

/** The list ignores parameters it does not know; they are not filters. */
function readQuery({ path, parameters, of }: List, query: object) {
  const known = Object.keys(parameters?.properties ?? {}).map((name) => [
    name,
    (query as Record<string, CursorFilter>)[name],
  ]);
  const { limit, cursor, ...filters } = Object.fromEntries(known) as PageQuery;
  const scope: CursorScope = { endpoint: `GET ${path}`, resource: of, filters };
  return { limit, cursor, scope };
}

type PageQuery = Record<string, CursorFilter> & {
  readonly limit?: number;
  readonly cursor?: string;
};
