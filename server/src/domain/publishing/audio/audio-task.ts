import type { AudioFacts } from './audio-facts.ts';
import { readAudioFile } from './read-audio-file.ts';

// In a child process: the structure of audio files.

export async function* facts(path: string): AsyncGenerator<AudioFacts> {
  yield await readAudioFile(path);
}
