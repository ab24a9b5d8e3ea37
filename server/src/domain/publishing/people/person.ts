import { maxChars } from '../../../lib/limits.ts';
import { podcastTaxonomy } from '../../../lib/podcast-taxonomy.ts';
import { isWebUrl, maxUrlChars } from '../../../lib/web-url.ts';
import type { ErrorDetail } from '../../foundation/errors.ts';
import { sayRefusal } from '../../foundation/refusals.ts';

/** Maps each role to the first group that has it. */
const groupByRole = new Map<string, string>();
for (const [group, roles] of Object.entries(podcastTaxonomy)) {
  for (const role of roles) if (!groupByRole.has(role)) groupByRole.set(role, group);
}

export const creditRoles: readonly string[] = [...groupByRole.keys()];
export const creditGroups: readonly string[] = Object.keys(podcastTaxonomy);

/** Returns undefined if the taxonomy does not have the role. */
export function groupOfRole(role: string): string | undefined {
  return groupByRole.get(role);
}

const places = { role: new Set(creditRoles), group: new Set(creditGroups) };

/** True if the taxonomy has it, in any case. */
function isInTaxonomy(place: 'role' | 'group', value: string): boolean {
  return places[place].has(normalizeTerm(value));
}

/** Converts to the stored form. */
export function normalizeTerm(value: string): string {
  return value.trim().toLowerCase();
}

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
  if (person.linkUrl != null && !isWebUrl(person.linkUrl)) {
    details.push({ field: 'link_url', ...sayRefusal('http_address_length', { max: maxUrlChars }) });
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

interface Picture {
  readonly id: string;
  readonly contentType: string;
}

/**
 * Somebody on the show's roster. The photo is null while the show is hidden: nobody could load it.
 */
export interface RosterMember {
  readonly id: string;
  readonly name: string;
  readonly role: string;
  readonly group: string;
  readonly linkUrl: string | null;
  readonly bio: string | null;
  readonly photo: Picture | null;
}

/** A credit as the feed publishes it; bio and photo are null before the episode is public. */
export interface CreditedPerson extends RosterMember {
  /** The credit's id; the person's id if the episode names nobody and shows the roster. */
  readonly id: string;
}

/** Where a page of people ends, in their order. */
export interface PeoplePosition {
  readonly position: number;
  readonly id: string;
}
