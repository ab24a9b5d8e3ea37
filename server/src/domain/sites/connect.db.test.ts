import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { actWithKey } from '../../../test/act-with-key.ts';
import { createTestContext, type TestContext } from '../../../test/create-test-context.ts';
import { makePodcast, makeUser } from '../../../test/make.ts';
import { makeSite } from '../../../test/make-site.ts';

let test: TestContext;
beforeAll(async () => {
  test = await createTestContext();
});
afterAll(() => test[Symbol.asyncDispose]());

describe('a site', () => {
  it('is connected with a code, and made active by itself', async () => {
    const ana = await makeUser(test.ctx);
    const show = await makePodcast(test.ctx, { owner: ana });
    const pending = await makeSite(test.ctx, ana, [show], { active: false });
    expect(pending.ctx.principal).toMatchObject({
      kind: 'site',
      site: { id: pending.siteId, siteUrl: pending.siteUrl, status: 'pending', transcripts: false },
      key: { scopes: ['podcasts:read', 'episodes:read', 'sites:write'], allPodcasts: false },
    });
    const active = await makeSite(test.ctx, ana, [show], { transcripts: true });
    expect(active.ctx.principal).toMatchObject({ site: { status: 'active', transcripts: true } });
    expect((await actWithKey(test.ctx, active.secret)).principal.kind).toBe('site');
  });
});
