import { readFile, writeFile } from 'node:fs/promises';
import { withModules } from './describe-modules.ts';

/** npm run modules: writes the table of the domain's modules in ARCHITECTURE.md. */
const file = new URL('../../ARCHITECTURE.md', import.meta.url);
await writeFile(file, withModules(await readFile(file, 'utf8')));
