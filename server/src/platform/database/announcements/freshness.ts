/**
 * Whether cached podcast data may be served. A cache asks before each use; changed data is
 * invalidated before the response is yes.
 */
export interface Freshness {
  /** Costs only a look at the clock. False: await `confirm`. */
  isConfirmed(): boolean;
  /**
   * Resolves when everything committed up to 800 ms before this call has been invalidated. During
   * an outage nothing can change, so it resolves for one more minute; then it rejects.
   */
  confirm(): Promise<void>;
  /**
   * Asks twice a second until the returned function is called, so that subscribers learn of every
   * change within a second even if notifications are lost.
   */
  keepAsking(): () => void;
}

/** Whether everything was confirmed; false if the database has been away too long. */
export async function tryConfirm(freshness: Freshness): Promise<boolean> {
  try {
    await freshness.confirm();
    return true;
  } catch {
    return false;
  }
}

/** For a process that makes all changes itself. */
export const alwaysFresh: Freshness = {
  isConfirmed: () => true,
  confirm: async () => undefined,
  keepAsking: () => () => undefined,
};
