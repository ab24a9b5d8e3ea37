import { mkdir, writeFile } from 'node:fs/promises';
import { gzipSync } from 'node:zlib';
import { buildPlayer, listLocales, readWords } from './build.ts';

// npm run player: writes player/dist. A test fails when it is out of date or too large.
const { script, module, visit } = await buildPlayer();
const dist = new URL('../dist/', import.meta.url);
await writeFile(new URL('v1.js', dist), script);
await writeFile(new URL('index.js', dist), module);
await writeFile(new URL('visit.js', dist), visit);
await mkdir(new URL('text/', dist), { recursive: true });
for (const locale of await listLocales()) {
  await writeFile(new URL(`text/${locale}.json`, dist), await readWords(locale));
}
for (const [name, text] of [
  ['v1.js', script],
  ['visit.js', visit],
] as const) {
  const bytes = gzipSync(text).length;
  process.stderr.write(
    `wrote player/dist/${name}: ${text.length} characters, ${bytes} bytes gzip\n`,
  );
}
