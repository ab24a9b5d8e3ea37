import { writeFile } from 'node:fs/promises';
import { generatedDocs } from './generated-docs.ts';

/** npm run docs: writes the documents that are derived from the code. */
for (const [path, describe] of Object.entries(generatedDocs)) {
  await writeFile(new URL(`../../${path}`, import.meta.url), describe());
}
