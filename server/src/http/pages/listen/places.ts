/** The URL of an episode's page with its whole transcript, from that of the page (PAGE-27). */
export const withTranscript = '?transcript=all';

/** Where a link to a position in the audio leads without scripts. */
export type PlaceOf = (seconds: number) => string;

/** To the sentence of this page that begins then. */
export const placeHere: PlaceOf = (seconds) => `#t=${seconds}`;

/** `restFromMs`: the page does not have the transcript from here. */
export function placesBefore(restFromMs: number): PlaceOf {
  return (seconds) =>
    seconds * 1000 < restFromMs ? placeHere(seconds) : withTranscript + placeHere(seconds);
}
