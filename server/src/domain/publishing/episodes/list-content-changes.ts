import type { Context } from '../../foundation/context.ts';
import { authorize } from '../../foundation/permissions/index.ts';
import { requireUser } from '../../foundation/principal.ts';
import {
  type ChangedContent,
  selectContentChanges,
  selectSnapshot,
} from './content-changes.sql.ts';

export interface ContentChanges {
  /** For the next call. */
  readonly snapshot: string;
  /** Undefined: too many to name, or the snapshot is of another database. */
  readonly changed: readonly ChangedContent[] | undefined;
}

const mostNamed = 50;

/**
 * What the caller sees of a podcast that changed since the snapshot, in whatever order it was
 * committed; without one, nothing but the present snapshot.
 */
export async function listContentChanges(
  ctx: Context,
  podcastId: string,
  since: string | undefined,
): Promise<ContentChanges> {
  const { creditedUserId } = await authorize(ctx, 'episodes.read', { podcastId });
  const query = { podcastId, since, creditedUserId, limit: mostNamed + 1 };
  const { snapshot, changed } = await selectContentChanges(ctx.db, query);
  return { snapshot, changed: (changed?.length ?? 0) > mostNamed ? undefined : changed };
}

/** For `listContentChanges`: what is read from now on has all changes up to this snapshot. */
export async function readSnapshot(ctx: Context): Promise<string> {
  requireUser(ctx);
  return await selectSnapshot(ctx.db);
}
