import { listConnectableShows, type ManagedShow } from '../../../../domain/exchange/sites/index.ts';
import { roleOf } from '../../../../domain/foundation/permissions/index.ts';
import { listMyPodcasts } from '../../../../domain/publishing/podcasts/index.ts';
import type { SignedInRequester } from '../../requester.ts';

/** The shows that a user may choose for a site, and the others with the reason. */
export interface OfferedShows {
  readonly shows: readonly ManagedShow[];
  /** Whether the user has more shows than a page can offer. */
  readonly hasMore: boolean;
  readonly others: readonly { readonly title: string; readonly reason: string }[];
}

/** One site can have so many. Who has more can change a site's shows in the app, which searches. */
const mostOffered = 1_000;
/** At most this many shows of other teams are read and listed. */
const mostOthers = 200;

const reasons: Readonly<Record<NonNullable<ManagedShow['obstacle']>, string>> = {
  hosted_elsewhere: 'its audio is not hosted here',
  plan_lapsed: 'its plan has lapsed',
  plan_without_api: 'its plan does not include the API',
};

export async function listOfferedShows({ ctx }: SignedInRequester): Promise<OfferedShows> {
  const { items: managed, next } = await listConnectableShows(ctx, { limit: mostOffered });
  const known = new Set(managed.map(({ id }) => id));
  const { items } = await listMyPodcasts(ctx, { limit: mostOthers });
  const others = [
    ...managed.flatMap(({ title, obstacle }) =>
      obstacle === null ? [] : [{ title, reason: reasons[obstacle] }],
    ),
    ...items
      .filter(({ id }) => !known.has(id))
      .map(({ title, membership }) => {
        const { roleName } = roleOf(membership);
        return { title, reason: `only its owner or an admin can, and your role is ${roleName}` };
      }),
  ];
  return {
    shows: managed.filter(({ obstacle }) => obstacle === null),
    hasMore: next !== undefined,
    others,
  };
}
