import { FileError } from '../../foundation/errors.ts';

/** The facts of an audio file, all of them read from its bytes. */
export interface AudioFacts {
  readonly contentType: AudioContentType;
  /** Without the dot. */
  readonly extension: AudioExtension;
  readonly sizeBytes: number;
  readonly durationMs: number;
  /** Average over the audio bytes alone, so that bytes can be converted to seconds of audio. */
  readonly bitrateBps: number;
  /**
   * The position of the first audio byte: tags, pictures and index tables before it are not audio.
   */
  readonly leadingTagBytes: number;
  /** Of the whole file, lower-case hex. */
  readonly sha256: string;
}

type AudioContentType =
  | 'audio/mpeg'
  | 'audio/mp4'
  | 'audio/aac'
  | 'audio/ogg'
  | 'audio/flac'
  | 'audio/wav'
  | 'video/mp4';

type AudioExtension = 'mp3' | 'm4a' | 'aac' | 'ogg' | 'opus' | 'flac' | 'wav' | 'mp4';

export type AudioRefusal =
  | 'empty' // no bytes at all
  | 'not_audio' // something else, whatever its name says
  | 'unsupported' // audio, but in a form that podcast players do not play
  | 'damaged' // audio, but cut off, or without a credible length
  | 'too_long'; // more than maxDurationMs

/** Why a file cannot be an episode's audio. `message` is for the person who sent it. */
export class AudioError extends FileError<AudioRefusal> {}

/** Seven days: longer than any episode, and small enough for the database's integers. */
const maxDurationMs = 7 * 24 * 3_600_000;

/** What one format's reader finds; the rest of AudioFacts is the same for all. */
export interface AudioShape {
  readonly contentType: AudioContentType;
  readonly extension: AudioExtension;
  readonly durationSeconds: number;
  readonly audioBytes: number;
  readonly leadingTagBytes: number;
}

/** Throws AudioError for values that no real file has. */
export function factsOfShape(shape: AudioShape, sizeBytes: number, sha256: string): AudioFacts {
  const durationMs = Math.round(shape.durationSeconds * 1000);
  if (durationMs > maxDurationMs) {
    throw new AudioError(
      'too_long',
      'According to its header, the file is longer than seven days.',
    );
  }
  const bitrateBps = Math.round((shape.audioBytes * 8) / shape.durationSeconds);
  if (!(durationMs >= 1 && bitrateBps >= 1 && bitrateBps < 2 ** 31)) {
    throw new AudioError('damaged', "The file's length cannot be determined.");
  }
  const { contentType, extension, leadingTagBytes } = shape;
  return { contentType, extension, sizeBytes, durationMs, bitrateBps, leadingTagBytes, sha256 };
}
