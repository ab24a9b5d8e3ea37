/** How loud a recording is from beginning to end. */
export interface Waveform {
  /** One value for each equal part of the duration: 0 is silence, 255 the loudest part. */
  readonly peaks: Uint8Array;
  readonly durationMs: number;
}

/** More than a player is wide in points that anyone can tell apart. */
const maxPoints = 400;
/** Shorter parts would show single swings of a low voice. */
const shortestPartMs = 50;

/** In how many parts a recording of that length is drawn. */
export function pointsFor(durationMs: number): number {
  return Math.min(maxPoints, Math.max(1, Math.floor(durationMs / shortestPartMs)));
}

/** What can be drawn: there is a decoder for no other form. */
export function isDrawable(contentType: string): boolean {
  return contentType === 'audio/mpeg';
}
