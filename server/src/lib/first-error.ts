/**
 * The error that came first: not a later one from closing what was open (`await using`), nor the list of
 * all addresses that a connection tried.
 */
export function firstError(error: unknown): unknown {
  if (error instanceof SuppressedError) return firstError(error.suppressed);
  if (error instanceof AggregateError && error.message === '') return firstError(error.errors[0]);
  return error;
}
