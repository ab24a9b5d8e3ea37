import type { Clock } from '../clock/clock.ts';

const pauseMs = 60_000;

/**
 * Passes on at most one fault a minute; otherwise an outage of Redis would report several a second.
 */
export function reportFaultsRarely(
  onFault: (error: Error) => void,
  clock: Clock,
): (error: Error) => void {
  let quietUntilMs = 0;
  return (error) => {
    const nowMs = clock.now().getTime();
    if (nowMs < quietUntilMs) return;
    quietUntilMs = nowMs + pauseMs;
    onFault(error);
  };
}
