import type { ErrorDetail } from '../domain/foundation/errors.ts';
import type { TypedValues } from '../domain/service/shows/edits/index.ts';
import { UsageError } from './arguments.ts';

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
