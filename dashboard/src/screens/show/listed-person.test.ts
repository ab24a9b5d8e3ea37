import { expect, it } from 'vitest';
import type { ShowPerson } from '../../api/show-settings.ts';
import { entriesOf, fieldsOf, newPerson, peopleOf } from './listed-person.ts';

it('the list of people for the server has only what has changed', () => {
  const saved: ShowPerson[] = ['Ana', 'Bo'].map((name) => ({
    ...newPerson(name),
    bio: `About ${name}.`,
    photo: null,
  }));
  const [ana, bo] = peopleOf(fieldsOf(saved));
  if (ana === undefined || bo === undefined) throw new Error('nobody is listed');
  const cy = newPerson('Cy');
  const { id, ...rest } = cy;
  expect(entriesOf([{ ...bo, bio: null }, cy, ana], saved)).toEqual([
    { id: bo.id, name: 'Bo', bio: null },
    { new_id: id, ...rest },
    { id: ana.id, name: 'Ana' },
  ]);
});
