import { writeFile } from 'node:fs/promises';
import { gzipSync } from 'node:zlib';
import { buildPlayer } from './build.ts';

// npm run player: after a change, writes what pages and bundlers load. A test says when it is out
// of date, and when it is too large.
const { script, module } = await buildPlayer();
const dist = new URL('../dist/', import.meta.url);
await writeFile(new URL('v1.js', dist), script);
await writeFile(new URL('index.js', dist), module);
const bytes = gzipSync(script, { level: 9 }).length;
process.stderr.write(`wrote player/dist/v1.js: ${script.length} characters, ${bytes} bytes gzip\n`);
