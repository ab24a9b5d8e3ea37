import assert from 'node:assert/strict';
import { findKeyPrincipal } from '../../server/src/domain/access/keys/index.ts';
import type { Context } from '../../server/src/domain/foundation/context.ts';
import {
  type EpisodeListQuery,
  listEpisodes,
} from '../../server/src/domain/publishing/episodes/index.ts';

/** The statements of a keyed list, as the endpoint sends them. */
export async function readList(
  ctx: Context,
  secret: string,
  query: Pick<EpisodeListQuery, 'podcastId' | 'limit'> & Partial<EpisodeListQuery>,
): ReturnType<typeof listEpisodes> {
  const { podcastId } = query;
  const principal = await findKeyPrincipal(ctx, secret, { podcastId });
  assert(principal !== undefined);
  return listEpisodes({ ...ctx, principal }, { status: undefined, after: undefined, ...query });
}
