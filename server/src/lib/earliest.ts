/** Undefined: there is none. */
export function earliest(dates: Iterable<Date | undefined>): Date | undefined {
  let found: Date | undefined;
  for (const date of dates)
    if (date !== undefined && (found === undefined || date < found)) found = date;
  return found;
}
