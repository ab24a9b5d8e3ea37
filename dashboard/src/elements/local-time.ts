/** A time as the browser's field for it has it: on the clocks of this place, to the minute. */
export function localTimeOf(time: string): string {
  const date = new Date(time);
  if (Number.isNaN(date.getTime())) return '';
  const two = (number: number) => String(number).padStart(2, '0');
  const day = [String(date.getFullYear()).padStart(4, '0'), date.getMonth() + 1, date.getDate()];
  return `${day.map((part) => two(Number(part))).join('-')}T${two(date.getHours())}:${two(date.getMinutes())}`;
}

/** The time of a field, in UTC; undefined if it is empty. */
export function timeOfLocal(local: string): string | undefined {
  const date = new Date(local);
  return Number.isNaN(date.getTime()) ? undefined : date.toISOString();
}
