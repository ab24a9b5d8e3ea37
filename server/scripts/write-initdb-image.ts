import { writeFile } from 'node:fs/promises';
import { initdbImageFile, makeInitdbImage } from '../src/platform/database/initdb-image.ts';

// npm run initdb: after a new version of PGlite, writes what its initdb makes. Remove the file of
// the version before; a test says when there is none for the one that is installed.
const say = (_fields: object, message: string) => void process.stderr.write(`${message}\n`);
const image = await makeInitdbImage({ info: say, warn: say, error: say });
const file = await initdbImageFile();
await writeFile(file, image);
say({}, `wrote ${file.pathname}`);
