import { readWhole } from '../read-foreign.ts';
import type { AudioFacts } from './audio-facts.ts';
import type { RawFileChapter } from './file-chapters/file-chapter.ts';
import { parseId3Chapters } from './file-chapters/parse-id3-chapters.ts';
import { readAudioFile } from './read-audio-file.ts';

// In a child process: the structure of audio files, and their tags.

export async function* facts(path: string): AsyncGenerator<AudioFacts> {
  yield await readAudioFile(path);
}

export async function* id3Chapters(
  _: unknown,
  files: AsyncIterable<AsyncIterable<Buffer>>,
): AsyncGenerator<RawFileChapter[]> {
  yield parseId3Chapters(await readWhole(files));
}
