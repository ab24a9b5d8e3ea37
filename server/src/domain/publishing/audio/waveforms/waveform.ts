/** How loud a recording is from beginning to end. */
export interface Waveform {
  /** One value for each equal part of the duration: 0 is silence, 255 the loudest part. */
  readonly peaks: Uint8Array;
  readonly durationMs: number;
}

/** A player is not wide enough to show more. */
const maxPoints = 400;
/** Shorter parts would show single swings of a low voice. */
const shortestPartMs = 50;

/** The number of parts for a recording of that length. */
export function pointsFor(durationMs: number): number {
  return Math.min(maxPoints, Math.max(1, Math.floor(durationMs / shortestPartMs)));
}

/** The type that can be drawn: there is no decoder for others. */
export function isDrawable(contentType: string): boolean {
  return contentType === 'audio/mpeg';
}
