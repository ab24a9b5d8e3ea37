import { maxChars } from '../../../lib/limits.ts';
import type { ErrorDetail } from '../../foundation/errors.ts';
import { sayRefusal } from '../../foundation/refusals.ts';
import { creditGroups, isInTaxonomy } from './taxonomy.ts';

/** Somebody a show credits. Role and group are from the Podcasting 2.0 taxonomy, in lower case. */
export interface Person {
  readonly id: string;
  readonly podcastId: string;
  readonly name: string;
  readonly role: string;
  readonly group: string;
  readonly userId: string | null;
  readonly bio: string | null;
  readonly linkUrl: string | null;
  readonly photoId: string | null;
  /** On the show's roster: credited wherever an episode names nobody. */
  readonly roster: boolean;
}

/** Somebody whom an episode could credit. */
export type KnownPerson = Omit<Person, 'bio'>;

export type NewPerson = Partial<Omit<Person, 'id'>> & {
  readonly podcastId: string;
  readonly name: string;
};

/** An entry of a list that replaces the people of a podcast. */
export type GivenPerson = Omit<NewPerson, 'podcastId'> & {
  /** The id of a known person; undefined: somebody known by name, or new. */
  readonly id?: string | undefined;
  /** The id for a new person, so that a repeated request adds them once. */
  readonly newId?: string | undefined;
};

export interface Credit {
  readonly personId: string;
  /** Default: the person's own. */
  readonly role?: string | undefined;
  readonly group?: string | undefined;
}

/** Somebody whom an episode names itself. */
export interface OwnCredit {
  readonly personId: string;
  readonly name: string;
  readonly role: string;
  readonly group: string;
}

/** Returns all validation errors. */
export function checkPerson(person: Omit<NewPerson, 'podcastId'>): ErrorDetail[] {
  const details: ErrorDetail[] = [];
  if (person.name.trim() === '' || person.name.length > maxChars.personName) {
    details.push({ field: 'name', ...sayRefusal('person_name', { max: maxChars.personName }) });
  }
  details.push(...checkTerms(person));
  if ((person.bio?.length ?? 0) > maxChars.personBio) {
    details.push({ field: 'bio', ...sayRefusal('bio_length', { max: maxChars.personBio }) });
  }
  if (person.linkUrl != null && !/^https?:\/\/[^\s]{1,2040}$/i.test(person.linkUrl)) {
    details.push({ field: 'link_url', ...sayRefusal('http_address') });
  }
  return details;
}

/** Checks that a given role or group is in the Podcasting 2.0 taxonomy. */
export function checkTerms(terms: {
  readonly role?: string | undefined;
  readonly group?: string | undefined;
}): ErrorDetail[] {
  const messages = {
    role: sayRefusal('person_role'),
    group: { message: `The group must be one of ${creditGroups.join(', ')}.` },
  };
  return (['role', 'group'] as const)
    .filter((field) => terms[field] !== undefined && !isInTaxonomy(field, terms[field]))
    .map((field) => ({ field, ...messages[field] }));
}
