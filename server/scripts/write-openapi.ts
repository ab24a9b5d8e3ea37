import { writeFile } from 'node:fs/promises';
import { appApi } from '../src/http/app/api/index.ts';
import { describeAppApi } from '../src/http/app/openapi.ts';
import { exampleBaseUrl } from '../src/http/described-fields.ts';
import { describeApi } from '../src/http/openapi.ts';
import { apiRoutes } from '../src/http/routes.ts';

/** npm run openapi: writes the committed documents of the public and the private API. */
const documents = {
  'v1.json': describeApi(apiRoutes, exampleBaseUrl),
  'app.json': describeAppApi(appApi),
};

for (const [name, document] of Object.entries(documents)) {
  const file = new URL(`../openapi/${name}`, import.meta.url);
  await writeFile(file, `${JSON.stringify(document, null, 2)}\n`);
}
