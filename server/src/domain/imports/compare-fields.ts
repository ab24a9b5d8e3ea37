import type { FieldDifference } from './import-report.ts';

const longestShown = 200;

/** Those of `wanted` that `known` has otherwise, and the same in words for a report. */
export function compareFields<T extends object>(
  known: T,
  wanted: Partial<T>,
): { readonly changed: Partial<T>; readonly differences: FieldDifference[] } {
  const names = (Object.keys(wanted) as (keyof T & string)[]).filter(
    (name) => wanted[name] !== undefined && wanted[name] !== known[name],
  );
  const changed = Object.fromEntries(names.map((name) => [name, wanted[name]])) as Partial<T>;
  const differences = names.map((name) => ({
    field: wireName(name),
    from: abridge(known[name]),
    to: abridge(wanted[name]),
  }));
  return { changed, differences };
}

function abridge(value: unknown): unknown {
  if (typeof value !== 'string' || value.length <= longestShown) return value ?? null;
  return `${value.slice(0, longestShown - 1).toWellFormed()}…`;
}

function wireName(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
