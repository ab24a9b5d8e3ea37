/**
 * Whether cached podcast data may be served. A cache asks before each use; changed data is
 * invalidated before the answer is yes.
 */
export interface Freshness {
  /** Costs only a look at the clock. False: await `confirm`. */
  isConfirmed(): boolean;
  /**
   * Resolves when everything committed up to 800 ms before this call has been invalidated. During
   * an outage nothing can change, so it resolves for one more minute; then it rejects.
   */
  confirm(): Promise<void>;
}

/** For a process that makes all changes itself. */
export const alwaysFresh: Freshness = {
  isConfirmed: () => true,
  confirm: async () => undefined,
};
