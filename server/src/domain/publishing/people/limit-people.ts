import { describeBytes } from '../../../lib/describe-bytes.ts';
import { peopleLimits } from '../../../lib/limits.ts';
import { invalid } from '../../foundation/errors.ts';
import { sayRefusal } from '../../foundation/refusals.ts';
import type { Person } from './person.ts';

/** How much of each limit the people of a show use. */
export interface PeopleSums {
  readonly known: number;
  readonly roster: number;
  /** UTF-8. */
  readonly textBytes: number;
}

export const noPeople: PeopleSums = { known: 0, roster: 0, textBytes: 0 };

type CountedPerson = Pick<Person, 'name' | 'bio' | 'linkUrl' | 'roster'>;

export function sumPeople(people: readonly CountedPerson[]): PeopleSums {
  let [roster, textBytes] = [0, 0];
  for (const person of people) {
    if (person.roster) roster += 1;
    for (const text of [person.name, person.bio, person.linkUrl]) {
      textBytes += Buffer.byteLength(text ?? '');
    }
  }
  return { known: people.length, roster, textBytes };
}

/** The sums with a person who has changed, or, without `before`, who is new. */
export function withPerson(
  { known, roster, textBytes }: PeopleSums,
  after: CountedPerson,
  before?: CountedPerson,
): PeopleSums {
  const [more, less] = [sumPeople([after]), sumPeople(before === undefined ? [] : [before])];
  return {
    known: known + more.known - less.known,
    roster: roster + more.roster - less.roster,
    textBytes: textBytes + more.textBytes - less.textBytes,
  };
}

const reasons = {
  known: 'people_full',
  roster: 'roster_full',
  textBytes: 'people_texts_full',
} as const;

export type PeopleLimit = (typeof reasons)[keyof typeof reasons];

/**
 * The limit that a change exceeds (LIM-15): what it adds to is beyond the limit then. A show above a
 * limit can still be corrected.
 */
export function findExceeded(before: PeopleSums, after: PeopleSums): PeopleLimit | undefined {
  const parts = ['known', 'roster', 'textBytes'] as const;
  const part = parts.find((name) => after[name] > peopleLimits[name] && after[name] > before[name]);
  return part && reasons[part];
}

/** Refuses it. The podcast is locked, so that of two changes at once the second counts the first. */
export function limitPeople(before: PeopleSums, after: PeopleSums): void {
  const limit = findExceeded(before, after);
  if (limit !== undefined) throw refuseLimit(limit);
}

export const refuseLimit = (limit: PeopleLimit) => invalid('people', sayLimit[limit](), limit);

const { known, roster, textBytes } = peopleLimits;
const sayLimit = {
  people_full: () => sayRefusal('people_full', { max: known }),
  roster_full: () => sayRefusal('roster_full', { max: roster }),
  people_texts_full: () => sayRefusal('people_texts_full', { size: describeBytes(textBytes) }),
};
