import { type ExtraElement, readElements } from '../podcasts/index.ts';

/** A short part of the audio that its makers chose (`podcast:soundbite`). */
export interface Soundbite {
  readonly startMs: number;
  readonly durationMs: number;
  readonly title: string | null;
}

/**
 * An episode's soundbites in order of time, without those that begin after the end of the audio, if its length is
 * known: an imported feed may have any.
 */
export function listSoundbites(
  elements: readonly ExtraElement[],
  audioMs: number | null,
): Soundbite[] {
  const { soundbite: entries = [] } = readElements('episode', elements);
  return entries
    .map(({ startTime, duration, text }) => ({
      startMs: Math.round(Number(startTime) * 1000),
      durationMs: Math.round(Number(duration) * 1000),
      title: typeof text === 'string' ? text.trim() || null : null,
    }))
    .filter(({ startMs }) => audioMs === null || startMs < audioMs)
    .toSorted((one, other) => one.startMs - other.startMs);
}
