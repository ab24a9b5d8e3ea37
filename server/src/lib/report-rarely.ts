const pauseMs = 60_000;

/** Passes on at most one call a minute; otherwise an outage would be reported several times a second. */
export function reportRarely<Args extends readonly unknown[]>(
  report: (...args: Args) => void,
  nowMs: () => number = () => performance.now(),
): (...args: Args) => void {
  let quietUntilMs = Number.NEGATIVE_INFINITY;
  return (...args) => {
    if (nowMs() < quietUntilMs) return;
    quietUntilMs = nowMs() + pauseMs;
    report(...args);
  };
}
