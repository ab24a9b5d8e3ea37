import { readdir } from 'node:fs/promises';
import { createGzip } from 'node:zlib';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { writeTestFeed } from '../../../../test/hosts/podcast-host.ts';
import { type ImportFixture, openImportFixture } from '../../../../test/import-fixture.ts';
import { DomainError } from '../../foundation/errors.ts';
import type { FeedToImport, ImportLimits } from './index.ts';

let fixture: ImportFixture;
beforeAll(async () => {
  fixture = await openImportFixture();
});
afterAll(() => fixture[Symbol.asyncDispose]());

/** A refused import leaves nothing at all. */
afterEach(async () => {
  for (const table of ['podcasts', 'imports', 'episodes']) {
    expect(await fixture.rows(`select id from ${table}`), table).toEqual([]);
  }
  expect(await readdir(fixture.test.ctx.blobs.scratchDir)).toEqual([]);
});

async function refusalOf(input: Partial<FeedToImport> = {}): Promise<string | undefined> {
  const error = await fixture.run(input).then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(DomainError);
  const { kind, message, details } = error as DomainError;
  expect(kind).toBe('invalid');
  expect(message).toMatch(/^[A-Z].*[.!]$/s);
  return details[0]?.reason;
}

function serve(body: string, contentType = 'application/rss+xml') {
  fixture.host.serve('/feed.xml', body, contentType);
}

const fewItems = writeTestFeed({ items: [{ guid: '1', title: 'One' }] });

describe('a document that is not a feed', () => {
  it.each([
    ['html', '<!doctype html><html><body>A page</body></html>'],
    ['html', '<html><head><title>Log in</title></head></html>'],
    ['atom_feed', '<feed xmlns="http://www.w3.org/2005/Atom"><title>A</title></feed>'],
    ['not_a_feed', '{"title": "A show"}'],
    ['empty', ''],
    ['no_channel', '<rss version="2.0"></rss>'],
    [
      'xml_entities',
      `<!DOCTYPE lolz [<!ENTITY lol "lol"><!ENTITY lol2 "&lol;&lol;&lol;&lol;&lol;&lol;">]>
       <rss><channel><title>&lol2;</title></channel></rss>`,
    ],
    [
      'xml_entities',
      `<!DOCTYPE rss [<!ENTITY xxe SYSTEM "file:///etc/passwd">]>
       <rss><channel><title>&xxe;</title></channel></rss>`,
    ],
  ])('%s: %s', async (reason, body) => {
    serve(body);
    expect(await refusalOf()).toBe(reason);
    expect(await refusalOf({ source: { bytes: Buffer.from(body) } })).toBe(reason);
    expect(await refusalOf({ dryRun: true })).toBe(reason);
  });
});

describe('a feed that its owner has locked', () => {
  // IMPORT-3
  it('a feed that its owner has locked is refused with advice', async () => {
    serve(writeTestFeed({ channel: '<podcast:locked>yes</podcast:locked>', items: [] }));
    expect(await refusalOf()).toBe('feed_locked');
    await expect(fixture.run()).rejects.toThrow(/unlock/);
  });
});

describe('an address without a feed', () => {
  const at = (url: string) => refusalOf({ source: { url } });

  it('an address without a feed is refused with the reason', async () => {
    expect(await at(`${fixture.host.url}/none.xml`)).toBe('http_status');
    expect(await at('http://127.0.0.1:1/feed.xml')).toBe('unreachable');
    expect(await at('ftp://example.com/feed.xml')).toBe('bad_address');
    expect(await at('http://me:secret@127.0.0.1/feed.xml')).toBe('bad_address');
    expect(await refusalOf({ source: { path: '/nowhere/feed.xml' } })).toBe('file_unreadable');
    expect(await refusalOf({ source: { path: '/' } })).toBe('file_unreadable');
  });

  // IMPORT-9
  it('an address in a private network is not requested, also after a redirect', async () => {
    expect(await at('http://10.0.0.1/feed.xml')).toBe('address_not_allowed');
    expect(await at('http://169.254.169.254/latest/meta-data')).toBe('address_not_allowed');
    fixture.host.respond('/away.xml', (_request, response) =>
      response.writeHead(302, { location: 'http://192.168.0.1/feed.xml' }).end(),
    );
    expect(await at(`${fixture.host.url}/away.xml`)).toBe('address_not_allowed');
  });

  // IMPORT-9
  it('an address without a feed is refused if it redirects in a loop', async () => {
    fixture.host.respond('/round.xml', (_request, response) =>
      response.writeHead(302, { location: '/again.xml' }).end(),
    );
    fixture.host.respond('/again.xml', (_request, response) =>
      response.writeHead(302, { location: '/round.xml' }).end(),
    );
    expect(await at(`${fixture.host.url}/round.xml`)).toBe('redirect_loop');
  });
});

describe('a feed that is too long', () => {
  const withLimits = (limits: Partial<ImportLimits>) => refusalOf({ limits });

  it('a feed that is too long is refused by its Content-Length before it is read', async () => {
    let sentBytes = 0;
    fixture.host.respond('/feed.xml', (_request, response) => {
      response.writeHead(200, { 'content-length': 200_000_000 });
      response.write(fewItems);
      sentBytes += fewItems.length;
    });
    expect(await refusalOf()).toBe('too_large');
    expect(sentBytes).toBe(fewItems.length);
  });

  it('a feed that is too long is refused as soon as it exceeds the limit, and the connection is closed', async () => {
    const hungUp = Promise.withResolvers<void>();
    fixture.host.respond('/feed.xml', (_request, response) => {
      response.writeHead(200, { 'content-type': 'application/rss+xml' });
      response.write('<rss><channel><title>Endless</title>');
      response.on('close', hungUp.resolve);
      const more = (): void => {
        while (response.write('<item><guid>a</guid><title>A</title></item>'.repeat(100)));
        response.once('drain', more);
      };
      more();
    });
    expect(await withLimits({ feedBytes: 1_000_000 })).toBe('too_large');
    await hungUp.promise;
  });

  it('a feed that is too long is refused if it is too long after decompression', async () => {
    fixture.host.respond('/feed.xml', (_request, response) => {
      response.writeHead(200, { 'content-encoding': 'gzip' });
      const gzip = createGzip();
      gzip.on('error', () => undefined).pipe(response);
      response.on('close', () => gzip.destroy());
      gzip.write('<rss><channel><title>Bomb</title><description>');
      for (let megabytes = 0; megabytes < 8; megabytes += 1) gzip.write(' '.repeat(1_000_000));
      gzip.end();
    });
    expect(await withLimits({ feedBytes: 5_000_000 })).toBe('too_large');
  });

  it('a feed that is too long is refused if it sends nothing for too long', async () => {
    fixture.host.respond('/feed.xml', (_request, response) => {
      response.writeHead(200);
      response.write('<rss><channel>');
    });
    expect(await withLimits({ feedTimeoutMs: 50 })).toBe('timeout');
  });
});

describe('a podcast that cannot be created', () => {
  it('invalid slugs are refused', async () => {
    serve(fewItems);
    for (const dryRun of [false, true]) {
      await expect(fixture.run({ slug: 'No Slug!', dryRun })).rejects.toMatchObject({
        kind: 'invalid',
        details: [{ field: 'slug' }],
      });
    }
  });

  it('unknown owners are refused', async () => {
    serve(fewItems);
    await expect(fixture.run({ owner: { email: 'nobody@example.com' } })).rejects.toMatchObject({
      kind: 'not_found',
    });
  });
});
