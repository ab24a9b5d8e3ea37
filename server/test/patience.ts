/** For `vi.waitFor` and `vi.waitUntil`: the default of one second is short on a busy machine. */
export const patience = { timeout: 20_000 };
