/** Owns what files are: the facts of audio, tones made to order, and pictures made ready. */
export { AudioError, type AudioFacts, type AudioRefusal } from './audio-facts.ts';
export { makeTone, maxToneSeconds, minToneSeconds, toneFacts } from './make-tone.ts';
export { readAudioFacts } from './read-audio-facts.ts';
