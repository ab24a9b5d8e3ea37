const DAY = '(?:[+-]?[1-5]?\\d)?(?:MO|TU|WE|TH|FR|SA|SU)';
const NUMBERS = '[+-]?\\d{1,3}(?:,[+-]?\\d{1,3}){0,99}';

/** The parts of a rule (RFC 5545, section 3.3.10), and the form of each. */
const parts: ReadonlyMap<string, RegExp> = new Map([
  ['FREQ', /^(?:SECONDLY|MINUTELY|HOURLY|DAILY|WEEKLY|MONTHLY|YEARLY)$/],
  ['INTERVAL', /^[1-9]\d{0,4}$/],
  ['COUNT', /^[1-9]\d{0,4}$/],
  // The namespace's own examples have the form of ISO 8601.
  ['UNTIL', /^\d{4}-?\d\d-?\d\d(?:T\d\d:?\d\d:?\d\d(?:\.\d{1,3})?Z?)?$/],
  ['WKST', /^(?:MO|TU|WE|TH|FR|SA|SU)$/],
  ['BYDAY', new RegExp(`^${DAY}(?:,${DAY}){0,99}$`)],
  ...[
    'BYSECOND',
    'BYMINUTE',
    'BYHOUR',
    'BYMONTHDAY',
    'BYYEARDAY',
    'BYWEEKNO',
    'BYMONTH',
    'BYSETPOS',
  ].map((name) => [name, new RegExp(`^${NUMBERS}$`)] as const),
]);

/** Whether it is a recurrence rule: each part once, with a frequency, and at most one end. */
export function isRecurrenceRule(text: string): boolean {
  if (text.length > 500) return false;
  const given = new Map<string, string>();
  for (const part of text.split(';')) {
    const [name = '', value = '', more] = part.split('=');
    const form = parts.get(name);
    if (more !== undefined || form === undefined || given.has(name)) return false;
    if (!form.test(value)) return false;
    given.set(name, value);
  }
  return given.has('FREQ') && !(given.has('COUNT') && given.has('UNTIL'));
}
