import { isUuid } from '../../lib/uuid.ts';
import type { Context } from '../context.ts';
import { invalid } from '../errors.ts';
import { maxNamedPodcasts } from '../keys/index.ts';
import { requireUser } from '../principal.ts';
import { sayRefusal } from '../refusals.ts';
import { selectManagedShows } from './connectable-shows.sql.ts';

/** A show that its user owns or administers. */
export interface ManagedShow {
  readonly id: string;
  readonly slug: string;
  readonly title: string;
  /** Why it cannot be connected (the contract, "Authentication", 7); null: it can. */
  readonly obstacle: 'hosted_elsewhere' | 'plan_lapsed' | 'plan_without_api' | null;
}

/**
 * The shows that the signed-in user owns or administers, oldest first; those with an obstacle
 * cannot be connected.
 */
export async function listConnectableShows(ctx: Context): Promise<ManagedShow[]> {
  return selectManagedShows(ctx.db, requireUser(ctx));
}

/**
 * Returns these ids, oldest podcast first. Refuses (`podcasts`) an empty list, and podcasts that
 * the user cannot connect.
 */
export async function requireConnectable(
  ctx: Context,
  userId: string,
  podcastIds: readonly string[],
): Promise<readonly string[]> {
  const wanted = [...new Set(podcastIds.map((id) => id.toLowerCase()))];
  if (wanted.length === 0) throw invalid('podcasts', sayRefusal('choose_a_show'));
  if (wanted.length > maxNamedPodcasts) {
    throw invalid('podcasts', `A site shows at most ${maxNamedPodcasts} podcasts.`);
  }
  const managed = await selectManagedShows(ctx.db, userId, wanted.filter(isUuid));
  const connectable = managed.filter(({ obstacle }) => obstacle === null).map(({ id }) => id);
  const refused = wanted.filter((id) => !connectable.includes(id));
  if (refused.length === 0) return connectable;
  const message =
    'A show can be connected by its owner or an admin, if it is hosted here and its plan includes the API';
  throw invalid('podcasts', `${message}: not ${refused.join(', ')}.`);
}
