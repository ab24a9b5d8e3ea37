import type { ErrorDetail } from '../../domain/errors.ts';
import { tryParseTimestamp } from '../../lib/time.ts';

/** Reads a time from a field of a body. Refuses other text, and returns undefined for it. */
export function readMoment(
  field: string,
  text: string | undefined,
  refuse: (detail: ErrorDetail) => void,
): Date | undefined {
  if (text === undefined) return undefined;
  const moment = tryParseTimestamp(text);
  if (moment === undefined) {
    refuse({ field, message: 'This must be a time in ISO 8601 with its zone.' });
  }
  return moment;
}
