/**
 * Pings: tell connected sites that their feeds have changed. Table: site_pings (site_ping_clock
 * is that of the release before). docs/decisions/0045 explains the queue.
 */
export { countPingBacklog, schedulePing, startPings } from './pinger.ts';
export { PingCounts } from './send-ping.ts';
