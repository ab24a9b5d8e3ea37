/** What child processes need to decode audio. It imports nothing that they would load in vain. */
export { decodeMp3 } from './decode-mp3.ts';
export { Loudness } from './loudness.ts';
