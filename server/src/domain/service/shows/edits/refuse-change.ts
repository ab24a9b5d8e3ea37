import { DomainError, type ErrorDetail } from '../../../foundation/errors.ts';

export function refuseChange(what: string, details: readonly ErrorDetail[]): DomainError {
  const count = details.length === 1 ? 'one value is' : `${details.length} values are`;
  return new DomainError('invalid', `The ${what} was not saved, because ${count} invalid.`, {
    details,
  });
}
