/**
 * Pings: tell connected sites that their feeds have changed. Tables: site_pings, site_ping_clock.
 * docs/decisions/0045 explains the queue.
 */
export { countPingBacklog } from './count-ping-backlog.ts';
export { PingCounts } from './ping-counts.ts';
export { schedulePing } from './schedule-ping.ts';
export { startPings } from './start-pings.ts';
