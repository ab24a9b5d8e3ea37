import type { TObject } from 'typebox';
import type { CursorFilter, CursorPosition, CursorScope } from '../../lib/cursor.ts';
import type { Page } from '../../lib/list-page.ts';
import type { HttpContext } from '../http-context.ts';
import type { CheckInput } from '../route.ts';
import { defaultPageSize } from './parameters.ts';
import type { PositionKind } from './positions.ts';

/** On the wire: null on the last page. */
interface Pagination {
  readonly next_cursor: string | null;
}

interface PageQuery<Position> {
  readonly limit: number;
  /** The position where the last page ended. */
  readonly after: Position | undefined;
}

export type PageRequest = ReturnType<typeof createPageRequest>;

/** The requested page of a list. */
function createPageRequest(
  { limit, after: cursor }: PageQuery<CursorPosition>,
  encode: (position: CursorPosition) => string,
) {
  /** `position` is where the page ends; undefined on the last page. */
  const next = (position: CursorPosition | undefined): Pagination => ({
    next_cursor: position === undefined ? null : encode(position),
  });

  /** Reads the page from a list whose positions are of this kind. */
  async function find<Position, Found extends { readonly next: Position | undefined }>(
    kind: PositionKind<Position>,
    list: (query: PageQuery<Position>) => Promise<Found>,
  ) {
    const { next: end, ...found } = await list({ limit, after: cursor && kind.read(cursor) });
    return { ...found, pagination: next(end && kind.write(end)) };
  }

  /** The same, as the body of a response. */
  async function read<Position, Item, Shown>(
    kind: PositionKind<Position>,
    list: (query: PageQuery<Position>) => Promise<Page<Item, Position>>,
    present: (item: Item) => Shown,
  ) {
    const { items, pagination } = await find(kind, list);
    return { data: items.map((item) => present(item)), pagination };
  }

  return { limit, after: cursor, next, find, read };
}

/** A list: its route, and the id of the resource whose items it lists. */
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
  return createPageRequest({ limit, after }, (position) => http.cursors.encode(scope, position));
}

/** The id that a list belongs to: the ids in its path, or else the user's. */
export function listedOf(params: object, userId: string): string {
  return (Object.values(params).join(' ') || userId).toLowerCase();
}

const foreignCursor = {
  field: 'cursor',
  message: 'This cursor does not belong to this list with these filters. Omit it to start again.',
};

/**
 * The list ignores parameters it does not know; they are not filters. A parameter with its default is
 * the same as one that is left out.
 */
function readQuery({ path, parameters, of }: List, query: object) {
  const known = Object.entries(parameters?.properties ?? {}).map(([name, schema]) => {
    const value = (query as Record<string, CursorFilter>)[name];
    const { default: usual } = schema as { readonly default?: CursorFilter };
    return [name, value === usual ? undefined : value];
  });
  const { limit, cursor, ...filters } = Object.fromEntries(known) as PageFilters;
  const scope: CursorScope = { endpoint: `GET ${path}`, resource: of, filters };
  return { limit, cursor, scope };
}

type PageFilters = Record<string, CursorFilter> & {
  readonly limit?: number;
  readonly cursor?: string;
};
