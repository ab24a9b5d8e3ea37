import { type Page, toPage } from '../../lib/page.ts';
import { visibilityOf } from '../catalogue/index.ts';
import type { Context } from '../context.ts';
import { type PersonRow, selectCredits, selectRoster } from './people.sql.ts';
import type { CreditedPerson, PeoplePosition, RosterMember } from './person.ts';

interface PeopleQuery {
  readonly after: PeoplePosition | undefined;
  readonly limit: number;
}

/** The show's roster, in its order. */
export async function listRoster(
  ctx: Context,
  podcastId: string,
  query: PeopleQuery,
): Promise<Page<RosterMember, PeoplePosition>> {
  const rows = await selectRoster(ctx.db, podcastId, { ...query, limit: query.limit + 1 });
  return present(rows, query.limit, ({ person, show }) => ({
    ...person,
    photo: visibilityOf(show, 'file') === 'hidden' ? null : person.photo,
  }));
}

/** The episode's own credits, or the show's roster where it names nobody. */
export async function listCredits(
  ctx: Context,
  episodeId: string,
  query: PeopleQuery,
): Promise<Page<CreditedPerson, PeoplePosition>> {
  const now = ctx.clock.now();
  const rows = await selectCredits(ctx.db, episodeId, { ...query, limit: query.limit + 1 });
  return present(rows, query.limit, ({ person, show, publicFrom }) => {
    const isPublic =
      publicFrom !== null && publicFrom <= now && visibilityOf(show, 'file') !== 'hidden';
    return isPublic ? person : { ...person, bio: null, photo: null };
  });
}

function present<Row extends PersonRow>(
  rows: readonly Row[],
  limit: number,
  show: (row: Row) => RosterMember,
): Page<RosterMember, PeoplePosition> {
  const page = toPage(rows, limit, ({ position, person }) => ({ position, id: person.id }));
  return { ...page, items: page.items.map(show) };
}
