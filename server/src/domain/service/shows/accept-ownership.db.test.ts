import { afterAll, beforeAll, expect, it } from 'vitest';
import { beforeCommit } from '../../../../test/before-commit.ts';
import { createTestContext, type TestContext } from '../../../../test/create-test-context.ts';
import { findEmailToken } from '../../../../test/find-emails.ts';
import { makePodcast, makeUser, testPassword } from '../../../../test/make.ts';
import { makeSite, makeUnregisteredKey } from '../../../../test/make-site.ts';
import { refusalOf } from '../../../../test/refusal-of.ts';
import { isOnServer } from '../../../../test/which-database.ts';
import { cutOffPodcastKeys, findKeyPrincipal } from '../../access/keys/index.ts';
import { addMember, listMembers, offerOwnership } from '../../publishing/podcasts/index.ts';
import { acceptOwnership, deletePodcast } from './index.ts';

let test: TestContext;
beforeAll(async () => {
  test = await createTestContext();
});
afterAll(() => test[Symbol.asyncDispose]());

const as = ({ id: userId }: { id: string }) => test.contextFor({ kind: 'user', userId });
const reads = async (secret: string, podcastId: string) => {
  const principal = await findKeyPrincipal(test.ctx, secret, { podcastId });
  return principal?.requested?.relation?.key?.isCovered;
};

// ACCT-20
it('takes a podcast from the sites of its old owner, and from no others', async () => {
  const [owner, admin, heir] = [
    await makeUser(test.ctx),
    await makeUser(test.ctx),
    await makeUser(test.ctx),
  ];
  const [show, other] = [
    await makePodcast(test.ctx, { owner }),
    await makePodcast(test.ctx, { owner }),
  ];
  await addMember(test.ctx, { podcastId: show.id, userId: admin.id, role: 'admin' });
  const old = await makeSite(test.ctx, owner, [show, other]);
  const waiting = await makeUnregisteredKey(test.ctx, owner, [show]);
  const admins = await makeSite(test.ctx, admin, [show]);
  await offerOwnership(as(owner), {
    ...{ podcastId: show.id, email: heir.email, currentPassword: testPassword },
  });
  const token = await findEmailToken(test, heir.email);
  const accepted = await acceptOwnership(as(heir), { token, teamKeys: true });
  expect(accepted).toEqual({ podcastId: show.id });
  expect(await reads(old.secret, show.id)).toBe(false);
  expect(await reads(waiting.secret, show.id)).toBe(false);
  expect(await reads(old.secret, other.id)).toBe(true);
  expect(await reads(admins.secret, show.id)).toBe(true);
  const again = await makeSite(test.ctx, owner, [show]);
  expect(await reads(again.secret, show.id)).toBe(true);
});

it('leaves a cut-off as it was', async () => {
  const [owner, heir] = [await makeUser(test.ctx), await makeUser(test.ctx)];
  const show = await makePodcast(test.ctx, { owner });
  const site = await makeSite(test.ctx, owner, [show]);
  await cutOffPodcastKeys(as(owner), show.id);
  const offer = { podcastId: show.id, email: heir.email, currentPassword: testPassword };
  await offerOwnership(as(owner), offer);
  const token = await findEmailToken(test, heir.email);
  await acceptOwnership(as(heir), { token, teamKeys: false });
  const { rows } = await test.database.pool.query(
    'select blocked_at is not null as blocked from api_key_podcasts where key_id = $1',
    [site.keyId],
  );
  expect(rows).toEqual([{ blocked: true }]);
});

it.runIf(isOnServer)(
  'a handover is not undone by an old owner who deletes the podcast at the same moment',
  async () => {
    const [owner, heir] = [await makeUser(test.ctx), await makeUser(test.ctx)];
    const show = await makePodcast(test.ctx, { owner });
    const handingOver = [
      'select from podcasts where id = $1 for update',
      "update podcast_members set role = 'admin' where podcast_id = $1",
      `insert into podcast_members (podcast_id, podcast_created_at, user_id, role, created_at)
     select id, created_at, '${heir.id}', 'owner', now() from podcasts where id = $1`,
    ];
    const deleting = () => deletePodcast(as(owner), show.id);
    const refusal = await refusalOf(beforeCommit(test, show.id, handingOver, deleting));
    expect(refusal.kind).toBe('forbidden');
    expect((await listMembers(as(heir), show.id)).map(({ role }) => role)).toEqual([
      'owner',
      'admin',
    ]);
  },
);
