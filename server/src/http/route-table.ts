import type { Access, Route } from './route.ts';
import { routeGroupOf } from './route-groups.ts';

const callers: Readonly<Record<Access, string>> = {
  public: 'anyone',
  key: 'API key',
  visitor: 'visitor, signed in or not',
  session: 'signed-in user',
};

/** One line per route: method, path, who may call it, what it does. Sorted by path. */
export function writeRouteTable(routes: readonly Route[]): string {
  const rows = routes
    .toSorted((a, b) => compare(a.path, b.path) || compare(a.method, b.method))
    .map(({ method, path, access, operation }) => [
      method,
      path,
      callerOf(access, operation),
      operation?.summary ?? `(${routeGroupOf(path).name})`,
    ]);
  const table = [['METHOD', 'PATH', 'CALLER', 'SUMMARY'], ...rows];
  const widths = [0, 1, 2].map((column) =>
    Math.max(...table.map((row) => row[column]?.length ?? 0)),
  );
  const lines = table.map((row) =>
    row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  '),
  );
  return `${lines.join('\n')}\n`;
}

function callerOf(access: Access, operation: Route['operation']): string {
  const scope = operation && 'scope' in operation ? operation.scope : undefined;
  return scope === undefined ? callers[access] : `${callers[access]}: ${scope}`;
}

function compare(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
