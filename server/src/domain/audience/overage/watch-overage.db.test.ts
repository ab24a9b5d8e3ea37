import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createTestContext, type TestContext } from '../../../../test/create-test-context.ts';
import { setDownloadsOfDay } from '../../../../test/downloads.ts';
import { findEmails } from '../../../../test/find-emails.ts';
import { makePodcast, makeUser } from '../../../../test/make.ts';
import { setPlan, type User } from '../../foundation/accounts/index.ts';
import { system } from '../../foundation/principal.ts';
import {
  activatePodcast,
  getPodcast,
  type Podcast,
  pausePodcast,
  resumePodcast,
  suspendPodcast,
} from '../../publishing/podcasts/index.ts';
import { changePlan, watchOverage } from './index.ts';

/** With OVERAGE_SUSPEND on, and off. */
let test: TestContext;
let off: TestContext;
let owner: User;
let podcast: Podcast;

beforeAll(async () => {
  test = await createTestContext({ OVERAGE_SUSPEND: 'on' });
  off = await createTestContext();
});
afterAll(async () => {
  await test[Symbol.asyncDispose]();
  await off[Symbol.asyncDispose]();
});
beforeEach(async () => {
  goTo('2026-03-02');
  owner = await makeUser(test.ctx, 'creator');
  podcast = await makePodcast(test.ctx, { owner });
});

const goTo = (day: string, time = '12:00') => test.clock.set(new Date(`${day}T${time}:00Z`));
const watch = (app = test) => watchOverage(app.contextFor(system), new AbortController().signal);
const count = (day: string, downloads: number, { id } = podcast, app = test) =>
  setDownloadsOfDay(app, id, day, downloads);
/** The templates of the owner's emails, oldest first. */
const told = async (to = owner.email, app = test) => {
  const emails = await findEmails(app, to);
  return emails.map(({ template }) => template).filter((name) => name.startsWith('overage'));
};
const renews = '2026-04-01T00:00:00.000Z';
const suspension = (day: string) => ({ sentence: 'reachedSuspends', values: { day, renews } });
const status = async ({ id } = podcast) => (await getPodcast(test.ctx, id)).status;
const planOf = (plan: string) =>
  setPlan(test.ctx, { email: owner.email, plan, planState: 'active' });

describe('the owner', () => {
  // ACCT-7
  it('the owner gets an email at 80 % and one at 100 %, each once, also with two workers', async () => {
    await count('2026-03-01', 39_999);
    await watch();
    expect(await told()).toEqual([]);
    await count('2026-03-01', 40_000);
    await Promise.all([watch(), watch(), watch()]);
    await watch();
    expect(await told()).toEqual(['overage-near']);
    await count('2026-03-02', 9_999);
    await watch();
    expect(await told()).toEqual(['overage-near']);
    await count('2026-03-02', 10_000);
    await Promise.all([watch(), watch(), watch()]);
    goTo('2026-03-31', '23:59');
    await watch();
    expect(await told()).toEqual(['overage-near', 'overage-reached', 'overage-suspended']);
  });

  // ACCT-7
  it('the owner gets only the second email if both limits are passed at once, and no first one later', async () => {
    await count('2026-03-01', 60_000);
    await watch();
    expect(await told()).toEqual(['overage-reached']);
    await count('2026-03-01', 45_000);
    await watch();
    expect(await told()).toEqual(['overage-reached']);
  });

  it('the owner gets both emails again in the next month, by days of UTC', async () => {
    await count('2026-02-28', 50_000);
    await watch();
    expect(await told()).toEqual([]);
    await count('2026-03-31', 50_000);
    goTo('2026-03-31', '23:59');
    await watch();
    goTo('2026-04-01', '00:00');
    await watch();
    expect(await told()).toEqual(['overage-reached']);
    await count('2026-04-01', 41_000);
    await watch();
    expect(await told()).toEqual(['overage-reached', 'overage-near']);
  });

  it('the owner is notified of the sum of all podcasts of the account', async () => {
    const second = await makePodcast(test.ctx, { owner });
    await count('2026-03-01', 20_000);
    await count('2026-03-01', 20_000, second);
    await watch();
    expect(await told()).toEqual(['overage-near']);
  });

  it('the owner gets no email on a plan without a limit', async () => {
    await planOf('enterprise');
    await count('2026-03-01', 100_000_000);
    await watch();
    expect(await told()).toEqual([]);
  });

  it('the owner is notified again when a larger plan is used up too', async () => {
    await planOf('free');
    await count('2026-03-01', 10_000);
    await watch();
    await planOf('studio');
    await watch();
    expect(await told()).toEqual(['overage-reached']);
    await count('2026-03-02', 390_000);
    await watch();
    expect(await told()).toEqual(['overage-reached', 'overage-near']);
    goTo('2026-03-05');
    await count('2026-03-05', 100_000);
    await watch();
    await watch();
    expect(await told()).toEqual(['overage-reached', 'overage-near', 'overage-reached']);
    const [, , email] = await findEmails(test, owner.email);
    expect(email?.values).toMatchObject({
      plan: 'Studio',
      consequence: suspension('2026-03-12T12:00:00.000Z'),
    });
  });

  it('reads the figures and the next steps', async () => {
    await count('2026-03-01', 51_234);
    await watch();
    const [email] = await findEmails(test, owner.email);
    expect(email?.values).toEqual({
      name: owner.name,
      plan: 'Creator',
      month: '2026-03-01T00:00:00.000Z',
      downloads: 51_234,
      limit: 50_000,
      renews,
      consequence: suspension('2026-03-09T12:00:00.000Z'),
    });
  });

  it('reads at 80 % what happens at 100 %', async () => {
    await count('2026-03-01', 40_000);
    await watch();
    const [email] = await findEmails(test, owner.email);
    expect(email?.values['consequence']).toEqual({
      sentence: 'nearSuspends',
      values: { limit: 50_000, days: 7 },
    });
    const user = await makeUser(off.ctx, 'free');
    await count('2026-03-01', 8_000, await makePodcast(off.ctx, { owner: user }), off);
    await watch(off);
    const [harmless] = await findEmails(off, user.email);
    expect(harmless?.values['consequence']).toMatchObject({ sentence: 'nearChangesNothing' });
  });

  it('reads of no suspension that would begin after the month, or if it is off', async () => {
    goTo('2026-03-25');
    await count('2026-03-25', 50_000);
    await watch();
    const [late] = await findEmails(test, owner.email);
    expect(late?.values['consequence']).toMatchObject({ sentence: 'reachedChangesNothing' });
    const user = await makeUser(off.ctx, 'free');
    await count('2026-03-01', 10_000, await makePodcast(off.ctx, { owner: user }), off);
    await watch(off);
    const [email] = await findEmails(off, user.email);
    expect(email?.values['consequence']).toMatchObject({ sentence: 'reachedChangesNothing' });
  });

  it('the owner gets an email also if there are more owners than fit in one transaction', async () => {
    await test.database.pool.query(
      `with a as (
         insert into accounts (id, plan, created_at)
         select gen_random_uuid(), 'free', now() from generate_series(1, 250) returning id),
       u as (
         insert into users (id, account_id, email, name, password_hash, created_at)
         select gen_random_uuid(), id, id || '@many.example', 'Many', '', now() from a
         returning account_id),
       p as (
         insert into podcasts
           (id, account_id, slug, title, author, description, guid, created_at, updated_at)
         select gen_random_uuid(), account_id, account_id, 'A show', 'Many', 'One of many',
           gen_random_uuid(), now(), now() from u returning id)
       insert into podcast_download_months (podcast_id, month, downloads)
       select id, '2026-03-01', 9000 from p`,
    );
    await Promise.all([watch(), watch()]);
    const { rows } = await test.database.pool.query(
      "select template, recipient from emails where recipient like '%@many.example'",
    );
    expect(rows).toHaveLength(250);
    expect(new Set(rows.map(({ recipient }) => recipient)).size).toBe(250);
    expect(rows.every(({ template }) => template === 'overage-near')).toBe(true);
  });
});

/** Reaches 100 % on 2 March; a suspension is due on the 9th at noon. */
async function exceed(): Promise<void> {
  await count('2026-03-02', 50_000);
  await watch();
}
async function suspend(): Promise<void> {
  await exceed();
  goTo('2026-03-09', '12:00');
  await watch();
}

describe('a suspension', () => {
  // ACCT-8, ACCT-9
  it('a suspension begins seven days after 100 %, for every public show', async () => {
    const paused = await makePodcast(test.ctx, { owner });
    await pausePodcast(test.ctx, paused.id);
    const newFeedUrl = 'https://new.example/feed.xml';
    const moved = await makePodcast(test.ctx, { owner, status: 'moved', newFeedUrl });
    const draft = await makePodcast(test.ctx, { owner, status: 'draft' });
    const all = [podcast, paused, moved, draft];
    await exceed();
    goTo('2026-03-09', '11:59');
    await watch();
    expect(await Promise.all(all.map(status))).toEqual(['active', 'paused', 'moved', 'draft']);
    goTo('2026-03-09', '12:00');
    await Promise.all([watch(), watch()]);
    const suspended = 'overage_suspended';
    expect(await Promise.all(all.map(status))).toEqual([suspended, suspended, suspended, 'draft']);
    goTo('2026-04-01', '00:00');
    await Promise.all([watch(), watch()]);
    expect(await Promise.all(all.map(status))).toEqual(['active', 'paused', 'moved', 'draft']);
  });

  it('a suspension is reported to the owner when it begins, once, unless no show is public', async () => {
    await suspend();
    goTo('2026-03-10');
    await makePodcast(test.ctx, { owner });
    await watch();
    expect(await told()).toEqual(['overage-reached', 'overage-suspended']);
    const email = (await findEmails(test, owner.email)).at(-1);
    expect(email?.values).toMatchObject({
      plan: 'Creator',
      limit: 50_000,
      renews,
    });
    goTo('2026-03-02');
    owner = await makeUser(test.ctx, 'creator');
    podcast = await makePodcast(test.ctx, { owner, status: 'draft' });
    await suspend();
    expect(await told()).toEqual(['overage-reached']);
  });

  // ACCT-8
  it('a suspension does not happen if the setting is off', async () => {
    const user = await makeUser(off.ctx, 'free');
    const show = await makePodcast(off.ctx, { owner: user });
    await count('2026-03-02', 10_000, show, off);
    off.clock.set(new Date('2026-03-02T12:00:00Z'));
    await watch(off);
    off.clock.set(new Date('2026-03-30T12:00:00Z'));
    await watch(off);
    expect((await getPodcast(off.ctx, show.id)).status).toBe('active');
    expect(await told(user.email, off)).toEqual(['overage-reached']);
  });

  it('a suspension ends when the setting is switched off', async () => {
    await suspend();
    expect(await status()).toBe('overage_suspended');
    const ctx = test.contextFor(system);
    const installation = { ...ctx.installation, overageSuspend: false };
    await watchOverage({ ...ctx, installation }, new AbortController().signal);
    expect(await status()).toBe('active');
  });

  const switchedOff = () => {
    const ctx = test.contextFor(system);
    const installation = { ...ctx.installation, overageSuspend: false };
    return watchOverage({ ...ctx, installation }, new AbortController().signal);
  };

  // ACCT-27
  it('a suspension is announced seven days before to those who were told that nothing changes', async () => {
    await count('2026-03-02', 50_000);
    await switchedOff();
    goTo('2026-03-12');
    await watch();
    await watch();
    expect(await status()).toBe('active');
    expect(await told()).toEqual(['overage-reached', 'overage-reached']);
    const consequences = (await findEmails(test, owner.email)).map(({ values }) => values);
    expect(consequences.map(({ consequence }) => consequence)).toMatchObject([
      { sentence: 'reachedChangesNothing' },
      suspension('2026-03-19T12:00:00.000Z'),
    ]);
    goTo('2026-03-19', '11:59');
    await watch();
    expect(await status()).toBe('active');
    goTo('2026-03-19', '12:00');
    await watch();
    expect(await status()).toBe('overage_suspended');
  });

  // ACCT-27
  it('a suspension does not come and go while processes have different settings', async () => {
    await suspend();
    const seen: string[] = [];
    for (let run = 0; run < 3; run += 1) {
      await switchedOff();
      seen.push(await status());
      await watch();
      seen.push(await status());
    }
    expect(new Set(seen)).toEqual(new Set(['active']));
    expect(await told()).toEqual(['overage-reached', 'overage-suspended', 'overage-reached']);
    goTo('2026-03-16');
    await watch();
    expect(await status()).toBe('overage_suspended');
  });

  it('a suspension that was announced begins on its day although the setting was off meanwhile', async () => {
    await exceed();
    await switchedOff();
    goTo('2026-03-09');
    await watch();
    expect(await status()).toBe('overage_suspended');
    expect(await told()).toEqual(['overage-reached', 'overage-suspended']);
  });

  // ACCT-27
  it('a suspension whose day has passed while the setting was off is announced anew', async () => {
    await exceed();
    goTo('2026-03-12');
    await switchedOff();
    await watch();
    expect(await status()).toBe('active');
    expect(await told()).toEqual(['overage-reached', 'overage-reached']);
    goTo('2026-03-19');
    await watch();
    expect(await status()).toBe('overage_suspended');
  });

  // ACCT-9
  it('a suspension ends at once with a larger plan, and comes again seven days after that is exceeded', async () => {
    await suspend();
    await changePlan(test.ctx, { email: owner.email, plan: 'creator', planState: 'lapsed' });
    expect(await status()).toBe('overage_suspended');
    await changePlan(test.ctx, { email: owner.email, plan: 'studio', planState: 'active' });
    expect(await status()).toBe('active');
    await watch();
    expect(await status()).toBe('active');
    await count('2026-03-09', 450_000);
    await watch();
    goTo('2026-03-16', '11:59');
    await watch();
    expect(await status()).toBe('active');
    goTo('2026-03-16', '12:00');
    await watch();
    expect(await status()).toBe('overage_suspended');
    const suspended = 'overage-suspended';
    expect(await told()).toEqual(['overage-reached', suspended, 'overage-reached', suspended]);
  });

  it('a suspension does not happen after a larger plan within the seven days, or a new month', async () => {
    await exceed();
    await planOf('studio');
    goTo('2026-03-20');
    await watch();
    expect(await status()).toBe('active');
    await planOf('creator');
    goTo('2026-03-28');
    await watch();
    goTo('2026-04-10');
    await watch();
    expect(await status()).toBe('active');
  });

  it('a suspension ends when a recount lowers the figures', async () => {
    await suspend();
    await count('2026-03-02', 49_999);
    await watch();
    expect(await status()).toBe('active');
  });

  // ACCT-9
  it('a suspension that the operator ends does not come again in that month', async () => {
    await suspend();
    await resumePodcast(test.ctx, podcast.id);
    goTo('2026-03-30');
    await watch();
    expect(await status()).toBe('active');
    await count('2026-04-01', 50_000);
    goTo('2026-04-01');
    await watch();
    goTo('2026-04-08');
    await watch();
    expect(await status()).toBe('overage_suspended');
  });
});

describe('a show that becomes public after the suspension of its account', () => {
  it('a show that becomes public later is suspended too, unless the operator resumes it', async () => {
    const draft = await makePodcast(test.ctx, { owner, status: 'draft' });
    await suspend();
    goTo('2026-03-10');
    const later = await makePodcast(test.ctx, { owner });
    await activatePodcast(test.ctx, draft.id);
    await watch();
    expect(await Promise.all([later, draft].map(status))).toEqual([
      'overage_suspended',
      'overage_suspended',
    ]);
    await resumePodcast(test.ctx, later.id);
    goTo('2026-03-11');
    await watch();
    expect(await Promise.all([later, draft].map(status))).toEqual(['active', 'overage_suspended']);
    goTo('2026-04-01');
    await watch();
    expect(await Promise.all([podcast, later, draft].map(status))).toEqual([
      'active',
      'active',
      'active',
    ]);
  });

  it('a show that becomes public later is suspended although the operator had resumed it before', async () => {
    await suspendPodcast(test.ctx, podcast.id);
    await resumePodcast(test.ctx, podcast.id);
    await suspend();
    expect(await status()).toBe('overage_suspended');
  });
});

describe("the operator's own suspension", () => {
  it("the operator's own suspension is ended neither by a new month nor by a larger plan", async () => {
    await suspendPodcast(test.ctx, podcast.id);
    await exceed();
    goTo('2026-03-10');
    await watch();
    await planOf('enterprise');
    await watch();
    goTo('2026-05-01');
    await watch();
    expect(await status()).toBe('overage_suspended');
    await resumePodcast(test.ctx, podcast.id);
    expect(await status()).toBe('active');
  });

  it('replaces one for overage, and keeps the earlier status of the show', async () => {
    await pausePodcast(test.ctx, podcast.id);
    await suspend();
    await suspendPodcast(test.ctx, podcast.id);
    goTo('2026-04-01');
    await watch();
    expect(await status()).toBe('overage_suspended');
    await resumePodcast(test.ctx, podcast.id);
    expect(await status()).toBe('paused');
    await resumePodcast(test.ctx, podcast.id);
    expect(await status()).toBe('active');
  });

  it("the operator's own suspension waits for a worker that ends the suspension at the same time", async () => {
    await suspend();
    goTo('2026-04-01');
    const operator = suspendPodcast(test.ctx, podcast.id);
    await Promise.all([watch(), operator]);
    expect(await status()).toBe('overage_suspended');
    await watch();
    expect(await status()).toBe('overage_suspended');
  });
});

it('watching for overage is allowed only to the service itself', async () => {
  const ctx = test.contextFor({ kind: 'user', userId: owner.id });
  const watched = watchOverage(ctx, new AbortController().signal);
  await expect(watched).rejects.toMatchObject({ kind: 'forbidden' });
});
