import type { Context } from '../../foundation/context.ts';
import { type ErrorDetail, refuseWrong } from '../../foundation/errors.ts';
import { isTrusted } from '../../foundation/principal.ts';
import { sayRefusal } from '../../foundation/refusals.ts';
import { selectMembersAmong, selectPhotosOfPodcast } from './people.sql.ts';
import type { GivenPerson, Person } from './person.ts';

/**
 * Refuses photos of other podcasts, and users who are no members: a credited user sees episodes.
 * Existing references may stay. The operator may name anybody.
 */
export async function checkPersonReferences(
  ctx: Context,
  podcastId: string,
  {
    people,
    before,
  }: { readonly people: readonly GivenPerson[]; readonly before: readonly Person[] },
): Promise<void> {
  if (isTrusted(ctx)) return;
  const idsOf = (field: 'photoId' | 'userId', list: readonly GivenPerson[] | readonly Person[]) =>
    list.flatMap((person) => person[field] ?? []);
  const users = await selectMembersAmong(ctx.db, podcastId, idsOf('userId', people));
  const photos = await selectPhotosOfPodcast(ctx.db, podcastId, idsOf('photoId', people));
  const allowed = {
    userId: new Set([...users, ...idsOf('userId', before)]),
    photoId: new Set([...photos, ...idsOf('photoId', before)]),
  };
  const details = people.flatMap(({ userId, photoId }, index): ErrorDetail[] => {
    const problems: ErrorDetail[] = [];
    const field = (name: string) => `people[${index}].${name}`;
    if (userId != null && !allowed.userId.has(userId)) {
      problems.push({ field: field('user_id'), ...sayRefusal('no_member') });
    }
    if (photoId != null && !allowed.photoId.has(photoId)) {
      problems.push({ field: field('photo_id'), message: 'The podcast has no such picture.' });
    }
    return problems;
  });
  refuseWrong('The people of the podcast were not saved.', details);
}
