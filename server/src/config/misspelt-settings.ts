import { countEdits } from '../lib/count-edits.ts';
import { settings } from './settings.ts';

const known = Object.keys(settings);
/** Shorter names resemble common variables: HOST and POST, PORT and PATH. */
const shortestCompared = 6;
const mostEdits = 2;

/**
 * One warning for each variable that resembles a setting. If the setting itself is set too, the
 * variable probably belongs to another program.
 */
export function findMisspeltSettings(names: Iterable<string>): string[] {
  const given = new Set(names);
  return [...given].flatMap((name) => {
    if (!/^[A-Z][A-Z0-9_]{4,39}$/.test(name) || known.includes(name)) return [];
    const meant = known.find((candidate) => !given.has(candidate) && isNear(name, candidate));
    return meant === undefined ? [] : [`${name} is not a setting. Did you mean ${meant}?`];
  });
}

function isNear(name: string, setting: string): boolean {
  if (setting.length < shortestCompared) return false;
  if (Math.abs(name.length - setting.length) > mostEdits) return false;
  // Two letters are too much of a short name.
  return countEdits(name, setting) <= (setting.length < 8 ? 1 : mostEdits);
}
