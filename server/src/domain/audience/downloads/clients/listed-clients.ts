import { RE2JS } from 're2js';
import {
  type ClientList,
  clientKinds,
  clientLists,
  type Recognize,
  unknownClient,
  unknownLabel,
} from './client.ts';

/** Five times what the largest published expression needs; all of the lists together need 22,000. */
const maxProgramSize = 5_000;
const maxTotalProgramSize = 100_000;
const maxProblems = 20;

interface Entry {
  readonly name: string;
  readonly pattern: RE2JS;
}

/**
 * Recognizes clients by the OPAWG lists in their own format (docs/decisions/0037): the first entry
 * that matches wins. Throws an Error that names every wrong entry.
 */
export function recognizeListedClients(lists: Readonly<Record<ClientList, unknown>>): Recognize {
  const problems: string[] = [];
  const compiled = clientLists.map((list) => readList(list, lists[list], problems));
  const size = compiled.flat().reduce((sum, { pattern }) => sum + pattern.programSize(), 0);
  if (size > maxTotalProgramSize) problems.push('the patterns are too large together');
  if (problems.length > 0) throw new Error(problems.slice(0, maxProblems).join('; '));
  const byKind = clientKinds.map((kind, place) => ({ kind, entries: compiled[place] ?? [] }));
  const devices = compiled.at(-1) ?? [];
  const device = (text: string) => findName(devices, text) ?? unknownLabel;
  return (text) => {
    for (const { kind, entries } of byKind) {
      const app = findName(entries, text);
      if (app === undefined) continue;
      return { kind, app, device: kind === 'bot' ? unknownLabel : device(text) };
    }
    return { ...unknownClient, device: device(text) };
  };
}

function findName(entries: readonly Entry[], text: string): string | undefined {
  return entries.find(({ pattern }) => pattern.test(text))?.name;
}

function readList(list: string, content: unknown, problems: string[]): Entry[] {
  const values = (content as { readonly entries?: unknown } | null)?.entries;
  if (!Array.isArray(values)) {
    problems.push(`${list}.json must be an object with a list "entries"`);
    return [];
  }
  return values.flatMap((value: unknown, position) => {
    const entry = readEntry(value);
    if (typeof entry !== 'string') return [entry];
    problems.push(`${list}.json, entry ${position + 1}: ${entry}`);
    return [];
  });
}

/** An entry, or what is wrong with it. */
function readEntry(value: unknown): Entry | string {
  const { name, pattern } = (value ?? {}) as {
    readonly name?: unknown;
    readonly pattern?: unknown;
  };
  if (typeof name !== 'string' || name.trim() === '') return 'has no name';
  if (typeof pattern !== 'string' || pattern === '') return `${name} has no pattern`;
  try {
    const compiled = RE2JS.compile(pattern);
    if (compiled.programSize() <= maxProgramSize) return { name, pattern: compiled };
    return `the pattern of ${name} is too large`;
  } catch (error) {
    return `the pattern of ${name} cannot be searched for in linear time: ${(error as Error).message}`;
  }
}
