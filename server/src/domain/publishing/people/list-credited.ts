import { type Page, toPage } from '../../../lib/list-page.ts';
import type { Context } from '../../foundation/context.ts';
import { authorize } from '../../foundation/permissions/index.ts';
import { visibilityOf } from '../podcasts/index.ts';
import { type PersonRow, selectCredits, selectRoster } from './credited.sql.ts';
import type { CreditedPerson, PeoplePosition, RosterMember } from './person.ts';

interface PeopleQuery {
  readonly after: PeoplePosition | undefined;
  readonly limit: number;
}

/** Lists the show's roster, in its order. */
export async function listRoster(
  ctx: Context,
  podcastId: string,
  query: PeopleQuery,
): Promise<Page<RosterMember, PeoplePosition>> {
  await authorize(ctx, 'people.read', { podcastId });
  const rows = await selectRoster(ctx.db, podcastId, { ...query, limit: query.limit + 1 });
  return toPeoplePage(rows, query.limit, ({ person, show }) => ({
    ...person,
    photo: visibilityOf(show, 'file') === 'open' ? person.photo : null,
  }));
}

/** Lists the episode's own credits, or the show's roster if it names nobody. */
export async function listCredits(
  ctx: Context,
  episodeId: string,
  query: PeopleQuery,
): Promise<Page<CreditedPerson, PeoplePosition>> {
  await authorize(ctx, 'people.read', { episodeId });
  const now = ctx.clock.now();
  const rows = await selectCredits(ctx.db, episodeId, { ...query, limit: query.limit + 1 });
  return toPeoplePage(rows, query.limit, ({ person, show, publicFrom }) => {
    const isPublic =
      publicFrom !== null && publicFrom <= now && visibilityOf(show, 'file') === 'open';
    return isPublic ? person : { ...person, bio: null, photo: null };
  });
}

/**
 * `toPerson` hides what is not public yet: a photo that nobody could load; in credits also the bio
 * (KEYED-11).
 */
function toPeoplePage<Row extends PersonRow>(
  rows: readonly Row[],
  limit: number,
  toPerson: (row: Row) => RosterMember,
): Page<RosterMember, PeoplePosition> {
  const page = toPage(rows, limit, ({ position, person }) => ({ position, id: person.id }));
  return { ...page, items: page.items.map(toPerson) };
}
