import { isDeepStrictEqual } from 'node:util';
import { wireName } from '../../../../lib/wire-names.ts';
import type { FieldDifference } from '../report/import-report.ts';
import { isChangedHere, type KeptValue, type MergeRules } from './imported-values.ts';

const longestShown = 200;

export interface FieldComparison<T> {
  /** The fields to write. */
  readonly changed: Partial<T>;
  /** The same as text for a report. */
  readonly differences: readonly FieldDifference[];
  /** The fields that keep their present value. */
  readonly kept: readonly KeptValue[];
}

/** Compares `wanted` with `known`. Fields changed here since the last import keep their values. */
export function compareFields<T extends object>(
  known: T,
  wanted: Partial<T>,
  rules: MergeRules,
): FieldComparison<T> {
  const names = (Object.keys(wanted) as (keyof T & string)[]).filter(
    (name) => wanted[name] !== undefined && !isDeepStrictEqual(wanted[name], known[name]),
  );
  const stays = new Set(names.filter((name) => isChangedHere(rules, name, known[name])));
  const taken = names.filter((name) => !stays.has(name));
  return {
    changed: Object.fromEntries(taken.map((name) => [name, wanted[name]])) as Partial<T>,
    differences: taken.map((name) => ({
      field: wireName(name),
      from: abridge(known[name]),
      to: abridge(wanted[name]),
    })),
    kept: [...stays].map((name) => ({
      field: wireName(name),
      here: abridge(known[name]),
      source: abridge(wanted[name]),
    })),
  };
}

function abridge(value: unknown): unknown {
  if (typeof value !== 'string' || value.length <= longestShown) return value ?? null;
  return `${value.slice(0, longestShown - 1).toWellFormed()}…`;
}
