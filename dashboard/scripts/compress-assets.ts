import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, gzip } from 'node:zlib';
import type { Plugin } from 'vite';

const compressGzip = promisify(gzip);
const compressBrotli = promisify(brotliCompress);

/**
 * Writes each file of `assets/` also in gzip (`.gz`) and Brotli (`.br`), as small as they get. That takes
 * five seconds of a processor, for which the first people after each start would wait.
 */
export const compressAssets: Plugin = {
  name: 'compress-assets',
  async writeBundle({ dir = '' }, bundle) {
    const names = Object.keys(bundle).filter((name) => name.startsWith('assets/'));
    await Promise.all(
      names.map(async (name) => {
        const path = join(dir, name);
        const bytes = await readFile(path);
        await writeFile(`${path}.gz`, await compressGzip(bytes, { level: 9 }));
        await writeFile(`${path}.br`, await compressBrotli(bytes));
      }),
    );
  },
};
