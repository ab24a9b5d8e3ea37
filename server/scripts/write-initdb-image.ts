import { writeFile } from 'node:fs/promises';
import {
  initdbImageFile,
  makeInitdbImage,
} from '../src/platform/database/embedded/initdb-image.ts';

// npm run initdb: run it after an update of PGlite. It writes the result of its initdb. Remove the
// file of the old version. A test fails if there is no file for the installed version.
const say = (_fields: object, message: string) => void process.stderr.write(`${message}\n`);
const image = await makeInitdbImage({ info: say, warn: say, error: say });
const file = await initdbImageFile();
await writeFile(file, image);
say({}, `wrote ${file.pathname}`);
