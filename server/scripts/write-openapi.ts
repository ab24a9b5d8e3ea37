import { readFile, writeFile } from 'node:fs/promises';
import { appApi } from '../src/http/app/api/index.ts';
import { describeAppApi } from '../src/http/app/describe-app-api.ts';
import { describeApi } from '../src/http/openapi/describe-public-api.ts';
import { exampleBaseUrl } from '../src/http/openapi/described-fields.ts';
import { apiRoutes } from '../src/http/routes.ts';
import { type ApiDocument, listPromises } from './list-promises.ts';

/** npm run openapi: writes the committed documents of the public and the private API. */
const api = describeApi(apiRoutes, exampleBaseUrl);
const documents = { 'v1.json': api, 'app.json': describeAppApi(appApi) };

const fileOf = (name: string) => new URL(`../openapi/${name}`, import.meta.url);

for (const [name, document] of Object.entries(documents)) {
  await writeFile(fileOf(name), `${JSON.stringify(document, null, 2)}\n`);
}

// Earlier promises stay: a test fails if one is broken.
const promises = fileOf('v1-promises.txt');
const earlier = await readFile(promises, 'utf8').catch(() => '');
const current = listPromises(api as unknown as ApiDocument);
const lines = [...new Set([...earlier.split('\n').filter((line) => line !== ''), ...current])];
await writeFile(promises, `${lines.sort().join('\n')}\n`);
