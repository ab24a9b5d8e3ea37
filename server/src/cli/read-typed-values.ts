import type { ErrorDetail } from '../domain/foundation/errors.ts';
import type { TypedValues } from '../domain/service/shows/edits/index.ts';
import { UsageError } from './arguments.ts';

/**
 * Fields that commands print and seed files contain, but `set` does not change: where to change
 * them.
 */

const api = 'in the private API, /app/api';

export const podcastFieldsElsewhere = {
  id: 'It never changes.',
  guid: 'It never changes: apps know the show by it.',
  created_at: 'It never changes.',
  previous_slugs: 'Changing the slug adds the old one; they are permanent.',
  owner: `The owner transfers the podcast ${api}.`,
  members: `Change the team ${api}.`,
  episodes: 'See episode add, episode set and episode delete.',
};

export const episodeFieldsElsewhere = {
  id: 'It never changes.',
  podcast_id: 'It never changes.',
  guid: 'It never changes: apps know the episode by it.',
  created_at: 'It never changes.',
  source: 'Only an import or a seed file sets it.',
};

/**
 * Parses `FIELD=VALUE …`; throws UsageError for other forms and unknown fields. `elsewhere`
 * explains where to change fields that are shown but not set here.
 */
export function readTypedValues(
  assignments: readonly string[],
  known: readonly string[],
  elsewhere: Readonly<Record<string, string>> = {},
): TypedValues {
  const typed = new Map<string, string>();
  for (const assignment of assignments) {
    const end = assignment.indexOf('=');
    if (end < 1) throw new UsageError(`${JSON.stringify(assignment)} is not FIELD=VALUE.`);
    const name = assignment.slice(0, end);
    if (typed.has(name)) throw new UsageError(`${name} may be given only once.`);
    typed.set(name, assignment.slice(end + 1));
  }
  const strange = [...typed.keys()].filter((name) => !known.includes(name));
  if (strange.length === 0) return typed;
  const places = strange.flatMap((name) =>
    Object.hasOwn(elsewhere, name) ? [`${name}: ${elsewhere[name]}`] : [],
  );
  const refusal = `Unknown field ${strange.join(', ')}. The fields are ${known.join(', ')}.`;
  throw new UsageError([refusal, ...places].join('\n'));
}

/** A usage error if any value has the wrong type; reports all problems. */
export function refuseTypedValues(
  problems: readonly ErrorDetail[],
  more: readonly ErrorDetail[],
): void {
  if (problems.length === 0) return;
  throw new UsageError([...problems, ...more].map(describe).join('\n'));
}

/** "This must be a whole number." of `season`: "season is a whole number." */
function describe({ field, message }: ErrorDetail): string {
  return message.startsWith('This ')
    ? `${field} ${message.slice('This '.length)}`
    : `${field}: ${message}`;
}
