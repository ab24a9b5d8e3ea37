import type { Static, TObject } from 'typebox';
import type { NewPerson } from '../../../publishing/people/index.ts';
import type { personProperties } from './schema-parts.ts';

type PersonEntry = Static<TObject<typeof personProperties>>;

/** Converts a person for the verbs; the caller looks up user and photo. */
export function readPerson(entry: PersonEntry): Omit<NewPerson, 'podcastId'> {
  const { name, role, group, bio, link_url: linkUrl, roster } = entry;
  const given = Object.entries({ role, group, bio, linkUrl, roster }).filter(
    ([, value]) => value !== undefined,
  );
  return { ...Object.fromEntries(given), name };
}
