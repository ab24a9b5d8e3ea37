import type { ErrorDetail } from '../errors.ts';

/** Somebody a show credits. Role and group are of the Podcasting 2.0 taxonomy, lower case. */
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

export type NewPerson = Partial<Omit<Person, 'id'>> & {
  readonly podcastId: string;
  readonly name: string;
};

export interface Credit {
  readonly personId: string;
  /** Default: the person's own. */
  readonly role?: string | undefined;
  readonly group?: string | undefined;
}

/** Every wrong field at once. */
export function checkPerson(person: Omit<NewPerson, 'podcastId'>): ErrorDetail[] {
  const details: ErrorDetail[] = [];
  if (person.name.trim() === '' || person.name.length > 200) {
    details.push({ field: 'name', message: 'A name has 1 to 200 characters.' });
  }
  for (const field of ['role', 'group'] as const) {
    const value = person[field];
    if (value !== undefined && (value.trim() === '' || value.length > 100)) {
      details.push({ field, message: `A ${field} has 1 to 100 characters.` });
    }
  }
  if ((person.bio?.length ?? 0) > 10_000) {
    details.push({ field: 'bio', message: 'A bio has at most 10000 characters.' });
  }
  if (person.linkUrl != null && !/^https?:\/\/[^\s]{1,2040}$/i.test(person.linkUrl)) {
    details.push({ field: 'link_url', message: 'This is an http or https address.' });
  }
  return details;
}
