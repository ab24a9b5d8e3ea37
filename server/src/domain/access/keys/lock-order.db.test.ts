import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { createTestContext, type TestContext } from '../../../../test/create-test-context.ts';
import { makeKey, makePodcast, makeUser, testPassword } from '../../../../test/make.ts';
import { patience } from '../../../../test/patience.ts';
import { newId } from '../../../lib/uuid.ts';
import type { User } from '../../foundation/accounts/index.ts';
import type { Context } from '../../foundation/context.ts';
import { DomainError } from '../../foundation/errors.ts';
import {
  addMember,
  changeMember,
  offerOwnership,
  type Podcast,
  setTeamKeys,
  updatePodcast,
} from '../../publishing/podcasts/index.ts';
import { cutOffPodcastKeys, revokeAllKeys } from './index.ts';

/** Users are locked before podcasts, podcasts before keys, so no deadlock occurs. */
describe.skipIf(process.env['TEST_DATABASE'] !== 'postgres')(
  'simultaneous requests of one owner',
  () => {
    let test: TestContext;
    beforeAll(async () => {
      test = await createTestContext();
    });
    afterAll(() => test[Symbol.asyncDispose]());

    async function makeTeam() {
      const owner = await makeUser(test.ctx);
      const podcast = await makePodcast(test.ctx, { owner });
      return { owner, podcast, ctx: test.contextFor({ kind: 'user', userId: owner.id }) };
    }
    const offer = (ctx: Context, { id: podcastId }: Podcast) =>
      offerOwnership(ctx, { podcastId, email: 'heir@example.com', currentPassword: testPassword });
    const name = (owner: User, ...podcasts: readonly Podcast[]) =>
      makeKey(test.ctx, owner, { podcasts: podcasts.map(({ id }) => id) });

    it('simultaneous requests of one owner are all run, or refused with a reason', async () => {
      const { owner, podcast, ctx } = await makeTeam();
      const second = await makePodcast(test.ctx, { owner });
      const member = await makeUser(test.ctx);
      await addMember(test.ctx, { podcastId: podcast.id, userId: member.id, role: 'editor' });
      const changes = { podcastId: podcast.id, userId: member.id, role: 'analyst' } as const;
      const works: readonly (() => Promise<unknown>)[] = [
        () => offer(ctx, podcast),
        () => name(owner, podcast, second),
        () => cutOffPodcastKeys(ctx, podcast.id),
        () => name(owner, second, podcast),
        () => changeMember(ctx, changes),
        () => setTeamKeys(ctx, { podcastId: podcast.id, allowed: true }),
        () => updatePodcast(ctx, podcast.id, { slug: `show-${newId().slice(-12)}` }),
        () => revokeAllKeys(ctx, owner.id),
      ];
      const attempts = Array.from({ length: 8 }, () => works.map((work) => work())).flat();
      const failures = (await Promise.allSettled(attempts)).flatMap((attempt) =>
        attempt.status === 'rejected' && !(attempt.reason instanceof DomainError)
          ? [attempt.reason]
          : [],
      );
      expect(failures).toEqual([]);
    });

    it('simultaneous requests of one owner lock no podcast while they wait for the user', async () => {
      const { owner, podcast, ctx } = await makeTeam();
      await using held = await hold('select from users where id = $1 for no key update', owner.id);
      const offered = offer(ctx, podcast);
      await held.isWaitedFor();
      await held.query('select from podcasts where id = $1 for update nowait', podcast.id);
      await held.release();
      await offered;
    });

    it('simultaneous requests of one owner add a podcast to a key while its team is being changed', async () => {
      const { owner, podcast, ctx } = await makeTeam();
      const { id: userId } = await makeUser(test.ctx);
      await addMember(test.ctx, { podcastId: podcast.id, userId, role: 'editor' });
      await using held = await hold(
        'select from podcast_members where user_id = $1 for update',
        userId,
      );
      const changed = changeMember(ctx, { podcastId: podcast.id, userId, role: 'analyst' });
      await held.isWaitedFor();
      expect((await name(owner, podcast)).key.podcasts).toEqual([podcast.id]);
      await held.release();
      await changed;
    });

    /** A row locked by a transaction of another connection. */
    async function hold(lock: string, id: string) {
      const client = await test.database.pool.connect();
      const query = (text: string, ...values: string[]) => client.query(text, values);
      let ended: Promise<unknown> | undefined;
      const release = async () => {
        ended ??= client.query('commit').finally(() => client.release());
        await ended;
      };
      await query('begin');
      await query(lock, id);
      const isWaitedFor = () =>
        vi.waitFor(async () => {
          // Not on the connection of that transaction, whose view of pg_stat_activity never changes.
          const { rows } = await test.database.pool.query(
            `select from pg_stat_activity
           where datname = current_database() and wait_event_type = 'Lock'`,
          );
          expect(rows).toHaveLength(1);
        }, patience);
      return { query, isWaitedFor, release, [Symbol.asyncDispose]: release };
    }
  },
);
