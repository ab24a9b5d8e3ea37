import { writeFile } from 'node:fs/promises';
import { describeSettings } from './describe-settings.ts';

/** npm run env-example: writes the committed .env.example. */
await writeFile(new URL('../../.env.example', import.meta.url), describeSettings());
