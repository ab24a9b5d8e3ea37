import { DomainError } from '../src/domain/foundation/errors.ts';

/** The refusal of an attempt. Throws if it succeeds or fails otherwise. */
export async function refusalOf(attempt: Promise<unknown>): Promise<DomainError> {
  const error = await attempt.then(
    () => new Error('it was not refused'),
    (cause: unknown) => cause,
  );
  if (error instanceof DomainError) return error;
  throw error;
}

/** The fields that a refusal names, or its kind if it names none. */
export async function fieldsRefused(attempt: Promise<unknown>): Promise<string> {
  const { kind, details } = await refusalOf(attempt);
  return details.length === 0 ? kind : details.map(({ field }) => field).join(', ');
}
