import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { createTestApp, type TestApp } from '../../../../test/create-test-app.ts';
import { keepAssets } from './kept-assets.ts';

let app: TestApp;
let folder: string;
beforeAll(async () => {
  app = await createTestApp();
  folder = await mkdtemp(join(tmpdir(), 'podstead-assets-'));
});
afterAll(async () => {
  await rm(folder, { recursive: true });
  await app[Symbol.asyncDispose]();
});

// RELEASE-7
it("a file of another release's app is found once a process of that release has started", async () => {
  const text = 'console.log("of another release")';
  await writeFile(join(folder, 'Other-BZ3EFEWv.js'), text);
  await writeFile(join(folder, 'Other-BZ3EFEWv.js.br'), 'compressed');
  const get = async (name: string) => await app.request({ url: `/app/assets/${name}` });
  expect((await get('Other-BZ3EFEWv.js')).statusCode).toBe(404);
  const there = pathToFileURL(`${folder}/`);
  await keepAssets(app.ctx.blobs, there);
  const response = await get('Other-BZ3EFEWv.js');
  expect([response.statusCode, response.body]).toEqual([200, text]);
  expect(response.headers).toMatchObject({
    'content-type': 'text/javascript; charset=utf-8',
    'cache-control': 'public, max-age=31536000, immutable',
  });
  for (const name of ['Other-BZ3EFEWv.js.br', 'other-bz3efewv.js', '..%2Fx.js', 'a.exe'])
    expect([name, (await get(name)).statusCode]).toEqual([name, 404]);
  const put = vi.spyOn(app.ctx.blobs, 'put');
  await keepAssets(app.ctx.blobs, there);
  expect(put).not.toHaveBeenCalled();
});
