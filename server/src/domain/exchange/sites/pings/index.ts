/**
 * Pings: tell connected sites that their feeds have changed. Tables: site_pings, site_ping_clock.
 * docs/decisions/0045 explains the queue.
 */
export { countPingBacklog, schedulePing, startPings } from './pinger.ts';
export { PingCounts } from './send-ping.ts';
