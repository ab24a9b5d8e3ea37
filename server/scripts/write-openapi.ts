import { writeFile } from 'node:fs/promises';
import { describeApi } from '../src/http/openapi.ts';
import { apiRoutes } from '../src/http/routes.ts';
import { exampleBaseUrl } from '../src/http/v1/about.ts';

// npm run openapi: writes the description that is committed; a test says when it is out of date.
const file = new URL('../openapi/v1.json', import.meta.url);
await writeFile(file, `${JSON.stringify(describeApi(apiRoutes, exampleBaseUrl), null, 2)}\n`);
process.stderr.write('wrote server/openapi/v1.json\n');
