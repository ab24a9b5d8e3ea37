/** Public requests of one client network in a minute, unless the operator sets another number. */
export const publicRequestsPerMinute = 600;

/** Requests without a valid key, of one client network in a minute (the contract). */
export const refusedRequestsPerMinute = 60;
/** Exchanges of codes for site keys, from one client network per minute (the contract). */
export const exchangesPerMinute = 30;
