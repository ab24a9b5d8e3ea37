/** Audio files: what is known about them, their chapters, generated tones, and waveforms. Tables: audio_files, waveforms. */
export {
  attachAudioFile,
  attachExternalAudio,
  attachStoredAudio,
  attachTone,
  audioFiles,
  authorizeAudio,
  type ExternalAudio,
  findAudio,
  removeAudio,
  type StoredAudio,
  storeAudioBlob,
  storeAudioCopy,
  storeTone,
} from './attach-audio.ts';
export { AudioError, type AudioFacts, type AudioRefusal } from './audio-facts.ts';
export { editChapters } from './edit-chapters.ts';
export { detectExternalType } from './external-type.ts';
export type { FileChapter } from './file-chapters/file-chapter.ts';
export { readFileChapters, takeFileChapters } from './file-chapters/take-file-chapters.ts';
export { getMemberAudio } from './get-member-audio.ts';
export { isAudioBeginning } from './is-audio-beginning.ts';
export { makeTone, type Quietness } from './make-tone.ts';
export { readAudioFacts } from './read-audio-facts.ts';
export {
  type DrawingSize,
  decodingRules,
  longestDecodingMs,
  UndecodableError,
} from './read-sound.ts';
export {
  drawWaveformsJob,
  purgeWaveformsJob,
  queueWaveform,
} from './waveforms/draw-waveforms.job.ts';
export { findWaveform } from './waveforms/find-waveform.ts';
export { isDrawable, pointsFor, type Waveform } from './waveforms/waveform.ts';
