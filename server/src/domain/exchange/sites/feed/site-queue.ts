import pLimit from 'p-limit';

/** The database pool has ten connections by default; others need the rest. */
const sitesAtOnce = 4;
const sites = pLimit(sitesAtOnce);
/** The last work in the queue of each site that has work. */
const lastOf = new Map<string, Promise<void>>();

/**
 * Runs `work` on a site after earlier work of this process on the same site. Waiting work holds no
 * connection, so that many calls for one site delay no other requests.
 */
export async function queueForSite<T>(siteId: string, work: () => Promise<T>): Promise<T> {
  const before = lastOf.get(siteId) ?? Promise.resolve();
  const done = before.then(() => sites(work));
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
