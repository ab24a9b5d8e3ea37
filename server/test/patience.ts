/**
 * For `vi.waitFor` and `vi.waitUntil`: the default of one second is short on a busy machine. Shorter than
 * the time limit of a test, which could not say what it waits for.
 */
export const patience = { timeout: 60_000 };
