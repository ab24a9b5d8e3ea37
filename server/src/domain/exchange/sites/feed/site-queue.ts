import { Turns } from '../../../../platform/processes/turns.ts';

/** The database pool has ten connections by default; others need the rest. */
const sitesAtOnce = 4;
/** A user has at most fifty sites, so nothing is refused. */
const turns = new Turns(sitesAtOnce, { mostOfOwner: 1 });
/** The last work in the queue of each site that has work. */
const lastOf = new Map<string, Promise<void>>();

/**
 * Runs `work` on a site after earlier work of this process on the same site, and of its user's other
 * sites. Users take turns. Waiting work holds no connection, so that many calls for one site delay no
 * other requests.
 */
export async function queueForSite<T>(
  { siteId, userId }: { readonly siteId: string; readonly userId: string },
  work: () => Promise<T>,
): Promise<T> {
  const before = lastOf.get(siteId) ?? Promise.resolve();
  const done = before.then(async () => {
    using _turn = await turns.take({ owner: userId });
    return await work();
  });
  const ended = done.then(
    () => undefined,
    () => undefined,
  );
  lastOf.set(siteId, ended);
  try {
    return await done;
  } finally {
    if (lastOf.get(siteId) === ended) lastOf.delete(siteId);
  }
}
