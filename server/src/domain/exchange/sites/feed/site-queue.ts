import pLimit from 'p-limit';

/** The database pool has ten connections by default; others need the rest. */
const usersAtOnce = 4;
const users = pLimit(usersAtOnce);
/** The last work in the queue of each user that has work. */
const lastOf = new Map<string, Promise<void>>();

/** Runs only few works at once. */
export type Limited = <T>(work: () => Promise<T>) => Promise<T>;

/**
 * Runs `work` on a user's site after earlier work of this process on any of their sites, so that users
 * take turns. Waiting work holds no connection, so that many calls for one site delay no other requests.
 * `limited`: a further limit, for which it waits only once it is the user's turn.
 */
export async function queueForUser<T>(
  userId: string,
  work: () => Promise<T>,
  limited: Limited = (run) => run(),
): Promise<T> {
  const before = lastOf.get(userId) ?? Promise.resolve();
  const done = before.then(() => limited(() => users(work)));
  const ended = done.then(
    () => undefined,
    () => undefined,
  );
  lastOf.set(userId, ended);
  try {
    return await done;
  } finally {
    if (lastOf.get(userId) === ended) lastOf.delete(userId);
  }
}
