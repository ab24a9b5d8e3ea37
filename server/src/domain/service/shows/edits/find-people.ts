import type { Context } from '../../../foundation/context.ts';
import type { ErrorDetail } from '../../../foundation/errors.ts';
import { type Credit, listPeople } from '../../../publishing/people/index.ts';

export interface FoundPeople {
  /** undefined: not changed. */
  readonly credits: readonly Credit[] | undefined;
  readonly problems: readonly ErrorDetail[];
}

/** Finds people of a podcast by id or name, ignoring case. */
export async function findPeople(
  ctx: Context,
  podcastId: string,
  refs: readonly string[] | undefined,
): Promise<FoundPeople> {
  if (refs === undefined) return { credits: undefined, problems: [] };
  const people = await listPeople(ctx, podcastId);
  const credits: Credit[] = [];
  const problems: ErrorDetail[] = [];
  for (const [index, ref] of refs.entries()) {
    const wanted = ref.toLowerCase();
    const [person, another] = people.filter(
      ({ id, name }) => id === wanted || name.toLowerCase() === wanted,
    );
    const field = `people[${index}]`;
    if (person === undefined) {
      problems.push({ field, message: `The podcast has no person ${JSON.stringify(ref)}.` });
    } else if (another !== undefined) {
      problems.push({ field, message: `Several people are called ${ref}. Use an id.` });
    } else {
      credits.push({ personId: person.id });
    }
  }
  return { credits, problems };
}
