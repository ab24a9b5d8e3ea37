import { writeFile } from 'node:fs/promises';
import { describeFields } from './describe-fields.ts';

/** npm run fields: writes docs/fields.md. */
await writeFile(new URL('../../docs/fields.md', import.meta.url), describeFields());
