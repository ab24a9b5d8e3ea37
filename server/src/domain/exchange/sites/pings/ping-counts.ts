/** Pings that this process has sent since its start, for metrics. */
export class PingCounts {
  sent = 0;
  failed = 0;
}
