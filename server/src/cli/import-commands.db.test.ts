import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestApp, type TestApp } from '../../test/create-test-app.ts';
import { openPodcastHost, type PodcastHost, writeTestFeed } from '../../test/hosts/podcast-host.ts';
import { makeUser } from '../../test/make.ts';
import { runCommand } from '../../test/run-command.ts';

let app: TestApp;
let host: PodcastHost;

beforeAll(async () => {
  app = await createTestApp({ OUTBOUND_ALLOW: '127.0.0.0/8' });
  host = await openPodcastHost();
});
afterAll(async () => {
  await host[Symbol.asyncDispose]();
  await app[Symbol.asyncDispose]();
});

const run = (...argv: string[]) => runCommand(app, ['import', ...argv]);
const url = () => `${host.url}/feed.xml`;

describe('import', () => {
  it('names the setting if an address is not allowed', async () => {
    const { email } = await makeUser(app.ctx);
    const refused = await run('http://10.0.0.1/feed.xml', '--owner', email);
    expect(refused).toMatchObject({ code: 1, said: expect.stringMatching(/OUTBOUND_ALLOW lists/) });
    const audio = 'http://10.0.0.1/1.mp3';
    host.serve('/private.xml', writeTestFeed({ items: [{ guid: '1', title: 'One', audio }] }));
    const { said, json } = await run(`${host.url}/private.xml`, '--owner', email);
    expect(said).toContain('OUTBOUND_ALLOW lists');
    expect(JSON.stringify(json)).not.toContain('OUTBOUND_ALLOW');
  });
});

describe('import list', () => {
  it('prints an object, as the other lists do', async () => {
    const { email } = await makeUser(app.ctx);
    host.serve('/feed.xml', writeTestFeed({ items: [{ guid: '1', title: 'One' }] }));
    const { json } = await run(url(), '--owner', email);
    expect((await run('list')).json).toMatchObject({
      imports: expect.arrayContaining([
        expect.objectContaining({ id: json.import_id, state: 'finished', owner: email }),
      ]),
    });
  });
});

describe('import confirm', () => {
  // IMPORT-4
  it('accepts the code as shown in the email', async () => {
    const { email } = await makeUser(app.ctx);
    const channel = '<podcast:locked owner="ana@feeds.example">yes</podcast:locked>';
    host.serve('/feed.xml', writeTestFeed({ channel, items: [] }));
    const { id } = (await run('code', url(), '--owner', email)).json;
    const { rows } = await app.database.pool.query<{ content: { code: string } }>(
      `select content from emails where template = 'feed-code'`,
    );
    const shown = rows[0]?.content.code ?? '';
    expect(shown).toMatch(/^\d{4} \d{4}$/);
    expect(await run('confirm', id, '1234', '5')).toMatchObject({ code: 1 });
    expect(await run('confirm', id, ...shown.split(' '))).toMatchObject({
      code: 0,
      json: { id, confirmed: true },
    });
  });
});
