/** For `vi.waitFor` and `vi.waitUntil`, whose own second is short on a busy machine. */
export const patience = { timeout: 20_000 };
