import type { PeopleList, ShowPerson } from '../../api/show-settings.ts';
import type { Fields, FieldValue } from '../../editor/fields.ts';
import { newId } from '../../lib/new-id.ts';

/** A person in the edited list. Photos are saved separately. */
export type ListedPerson = Omit<ShowPerson, 'photo'>;

/** The list is one field of its form, because order, names and roles are saved together. */
export function fieldsOf(people: readonly (ShowPerson | ListedPerson)[]): Fields {
  return {
    people: people.map((person) => {
      const { photo: _, ...listed } = person as ShowPerson;
      return listed;
    }),
  };
}

export const peopleOf = ({ people }: Fields) => listOf(people);

const listOf = (people: FieldValue | undefined) =>
  (people ?? []) as unknown as readonly ListedPerson[];

export const namesOf = (people: FieldValue) =>
  listOf(people)
    .map(({ name }) => name)
    .join(', ');

export function newPerson(name: string): ListedPerson {
  const nothing = { bio: null, link_url: null, user_id: null };
  return { id: newId(), name, role: 'host', group: 'cast', roster: true, ...nothing };
}

/** The list for the server, which knows `saved`: what has not changed is not sent. */
export function entriesOf(
  people: readonly ListedPerson[],
  saved: readonly ShowPerson[],
): PeopleList {
  const byId = new Map(saved.map((person) => [person.id, person]));
  return people.map(({ id, name, ...values }) => {
    const known = byId.get(id);
    if (known === undefined) return { new_id: id, name, ...values };
    const isChanged = ([field, value]: [string, unknown]) =>
      known[field as keyof typeof values] !== value;
    return { id, name, ...Object.fromEntries(Object.entries(values).filter(isChanged)) };
  });
}
