import sharp from 'sharp';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { User } from '../../../src/domain/foundation/accounts/index.ts';
import { attachImage, setHeaderImage } from '../../../src/domain/publishing/images/index.ts';
import { type Podcast, pausePodcast } from '../../../src/domain/publishing/podcasts/index.ts';
import { type Browser, openMember, openSignedIn } from '../../create-browser.ts';
import { createTestApp, type TestApp } from '../../create-test-app.ts';
import { pictureBytes } from '../../hosts/podcast-host.ts';
import { makePodcast, makeUser } from '../../make.ts';

let app: TestApp;
let owner: User;
let show: Podcast;
let browser: Browser;
let url: string;

beforeAll(async () => {
  app = await createTestApp();
});
afterAll(() => app[Symbol.asyncDispose]());
beforeEach(async () => {
  owner = await makeUser(app.ctx, 'creator');
  show = await makePodcast(app.ctx, { owner, description: 'What is heard at night.' });
  browser = await openSignedIn(app, owner);
  url = `/app/api/podcasts/${show.id}`;
});

const patch = (body: object) => browser.send('PATCH', url, body, { 'if-match': '*' });
const read = async () => (await browser.get(url)).json().data;
const preview = (fields: Record<string, string>, as = browser) =>
  as.submit(`${url}/page-preview`, fields);
const page = (slug: string) => app.request({ url: `/listen/${slug}` });

// PAGE-23
describe('the arrangement of a page', () => {
  it('the arrangement of a page is saved, shown to listeners, and not in the API', async () => {
    const text = '<h2>Write to us</h2><script>alert(1)</script><p onclick="x()">Or call.</p>';
    const body = { page_sections: ['text', 'episodes'], page_text: text, page_theme: 'dark' };
    expect((await patch(body)).statusCode).toBe(200);
    expect(await read()).toMatchObject({
      page_sections: ['text', 'episodes'],
      page_theme: 'dark',
      page_text: expect.not.stringMatching(/script|onclick/),
    });
    const { body: shown } = await page(show.slug);
    expect(shown).toContain('Write to us');
    expect(shown).not.toMatch(/alert\(1\)|onclick|id="about"/);
    const { body: answered } = await app.request({ url: `/v1/podcasts/${show.slug}` });
    expect(answered).not.toMatch(/page_|header_image|Write to us/);
  });

  it.each([
    [{ page_sections: ['about'] }, 'page_sections'],
    [{ page_sections: ['episodes', 'about', 'about'] }, 'page_sections'],
    [{ page_text: 'x'.repeat(20_001) }, 'page_text'],
    [{ page_text: '>'.repeat(19_000) }, 'page_text'],
  ])('the arrangement of a page refuses %j', async (body, field) => {
    const refused = await patch(body);
    expect(refused.statusCode).toBe(400);
    expect(refused.json().error.details).toMatchObject([{ field }]);
  });

  it('a text of the page that has nothing left is none', async () => {
    await patch({ page_text: '<script>alert(1)</script>' });
    expect((await read()).page_text).toBeNull();
  });
});

// PAGE-24
describe('the header picture', () => {
  const attach = async () => {
    const bytes = await pictureBytes('#336699');
    return (await attachImage(app.ctx, { podcastId: show.id, bytes })).id;
  };

  it('the header picture is public while the page has it', async () => {
    const id = await attach();
    const picture = { url: `/images/${id}/640.jpg` };
    expect((await app.request(picture)).statusCode).toBe(404);
    await setHeaderImage(app.ctx, show.id, id);
    expect((await app.request(picture)).statusCode).toBe(200);
    expect((await page(show.slug)).body).toContain(`/images/${id}/640.jpg`);
    expect((await read()).header_image).toMatchObject({ id });
    const removed = await browser.send('DELETE', `${url}/header-image`, undefined, {
      'if-match': '*',
    });
    expect(removed.json().data.header_image).toBeNull();
    expect((await page(show.slug)).body).not.toContain(id);
  });

  it('a header picture has a copy for computers; until it is stored, the original is sent', async () => {
    const create = { width: 2000, height: 500, channels: 3, background: '#336699' } as const;
    const picture = { podcastId: show.id, bytes: await sharp({ create }).png().toBuffer() };
    const { id } = await attachImage(app.ctx, picture);
    await setHeaderImage(app.ctx, show.id, id);
    const wide = { url: `/images/${id}/1600.jpg` };
    expect((await page(show.slug)).body).toContain(wide.url);
    const original = await app.request(wide);
    expect([original.statusCode, original.headers['content-type']]).toEqual([200, 'image/png']);
    expect(await attachImage(app.ctx, { ...picture, isWide: true })).toMatchObject({ id });
    const copy = await app.request(wide);
    expect(copy.headers['content-type']).toBe('image/jpeg');
    expect(copy.headers.etag).not.toBe(original.headers.etag);
    expect(await sharp(copy.rawPayload).metadata()).toMatchObject({ width: 1600, height: 400 });
  });

  it('the header picture can be removed only by those who edit the show', async () => {
    const analyst = await openMember(app, show, 'analyst');
    const refused = await analyst.send('DELETE', `${url}/header-image`, undefined, {
      'if-match': '*',
    });
    expect(refused.statusCode).toBe(403);
  });
});

// PAGE-25
describe('the preview of a page', () => {
  it('the preview of a page has values that are not saved, and saves nothing', async () => {
    const before = await read();
    const shown = await preview({
      page_sections: 'text,episodes',
      page_text: '<p>New words</p><img src=x onerror=alert(1)>',
      page_theme: 'light',
      brand_color: '#aa3300',
    });
    expect(shown.statusCode).toBe(200);
    expect(shown.headers['content-security-policy']).toContain("frame-ancestors 'self'");
    expect(shown.headers['x-frame-options']).toBeUndefined();
    expect(shown.headers['cache-control']).toContain('no-store');
    expect(shown.body).toContain('New words');
    expect(shown.body).toContain('--accent:#aa3300');
    expect(shown.body).not.toMatch(/onerror|id="about"/);
    expect(await read()).toEqual(before);
  });

  it('the preview of a page works for paused shows without episodes', async () => {
    await pausePodcast(app.ctx, show.id);
    const shown = await preview({ page_sections: 'about,episodes' });
    expect(shown.statusCode).toBe(200);
    expect(shown.body).toContain('What is heard at night.');
  });

  it('the preview of a page has a text of any letters that can be saved', async () => {
    const text = `<p>${'夜'.repeat(19_993)}</p>`;
    expect((await patch({ page_text: text })).statusCode).toBe(200);
    const shown = await preview({ page_sections: 'text,episodes', page_text: text });
    expect(shown.statusCode).toBe(200);
    expect(shown.body).toContain(text);
  });

  it('the preview of a page refuses values that the page cannot have', async () => {
    expect((await preview({ page_sections: 'about,banner' })).statusCode).toBe(400);
    expect((await preview({ brand_color: '</style>' })).statusCode).toBe(400);
  });

  it('the preview of a page is for those who edit the show', async () => {
    const analyst = await openMember(app, show, 'analyst');
    const stranger = await openSignedIn(app, await makeUser(app.ctx, 'creator'));
    expect((await preview({}, analyst)).statusCode).toBe(403);
    expect((await preview({}, stranger)).statusCode).toBe(404);
  });
});
