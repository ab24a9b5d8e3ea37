import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseFile } from 'music-metadata';
import { readAudioFile } from '../../server/src/domain/publishing/audio/read-audio-file.ts';
import type { Bench, Figure, Part } from '../bench.ts';
import { compareTimes } from '../median.ts';
import { makeTempFolder } from '../temp-folder.ts';
import { files } from './files.ts';

const pairs = 3;

const factsPart: Part = {
  name: 'facts',
  about: 'reading what an audio file is, against music-metadata',
  async measure({ say, signal }) {
    await using folder = await makeTempFolder();
    const path = join(folder.path, 'audio.bin');
    // The time of a refused file counts too.
    const read = () => readAudioFile(path).catch(() => undefined);
    const readByOther = () =>
      parseFile(path, { duration: true, skipCovers: true }).catch(() => undefined);
    const figures: Figure[] = [];
    for (const [name, make] of Object.entries(files)) {
      signal.throwIfAborted();
      say(`  ${name}`);
      await writeFile(path, Buffer.concat(make()));
      const { ratio, firstMs, secondMs } = await compareTimes(pairs, read, readByOther);
      const note = `${firstMs.toFixed(1)} ms against ${secondMs.toFixed(1)} ms`;
      figures.push({ name, value: ratio, unit: 'ratio', note });
    }
    const remarks = ['Ours also hashes the whole file and finds where its audio begins.'];
    return [{ title: 'How many times as long music-metadata takes', figures, remarks }];
  },
};

/** Whether our own readers of audio files are worth their code. */
export const audioBench: Bench = {
  name: 'audio',
  about: 'reading audio files, honest and hostile ones',
  parts: [factsPart],
};
