import {
  type EpisodeListQuery,
  listBackstageEpisodes,
} from '../../server/src/domain/backstage/index.ts';
import type { Context } from '../../server/src/domain/context.ts';
import { decideAccess, findCaller } from '../../server/src/domain/keys/index.ts';

/** The statements of a keyed list, as the endpoint sends them. */
export async function readList(
  ctx: Context,
  secret: string,
  query: Pick<EpisodeListQuery, 'podcastId' | 'limit'> & Partial<EpisodeListQuery>,
): ReturnType<typeof listBackstageEpisodes> {
  const caller = await findCaller(ctx, secret, { podcastId: query.podcastId });
  decideAccess(caller?.access, {});
  const all = { creditedUserId: undefined, status: undefined, after: undefined };
  return listBackstageEpisodes(ctx, { ...all, ...query });
}
