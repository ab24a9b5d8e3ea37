/** For how many days, ISO weeks and months with a backup the newest one is kept. */
export interface KeepRule {
  readonly days: number;
  readonly weeks: number;
  readonly months: number;
}

/** Of `7d,4w,12m`, with each unit once at most. Undefined: it is something else, or keeps nothing. */
export function tryParseKeepRule(text: string): KeepRule | undefined {
  const counts = new Map<string, number>();
  for (const term of text.split(',')) {
    const [, count = '', unit = ''] = /^ *([0-9]{1,5})([dwm]) *$/.exec(term) ?? [];
    if (unit === '' || counts.has(unit)) return undefined;
    counts.set(unit, Number(count));
  }
  const [days = 0, weeks = 0, months = 0] = ['d', 'w', 'm'].map((unit) => counts.get(unit));
  return days + weeks + months === 0 ? undefined : { days, weeks, months };
}
