/** Public requests of a client network in a minute, unless the operator changes it (LIM-1). */
export const publicRequestsPerMinute = 600;

/** Requests without a valid key, of one client network in a minute (LIM-9). */
export const refusedRequestsPerMinute = 60;
/** Exchanges of codes for site keys, from one client network per minute (LIM-10). */
export const exchangesPerMinute = 30;

/** Requests to the WebSub hub, from one client network per minute (LIM-23). */
export const hubRequestsPerMinute = 60;
