import { expect, it } from 'vitest';
import { createTestContext } from '../../../../test/create-test-context.ts';
import { makePodcast, makeUser } from '../../../../test/make.ts';
import { newId } from '../../../lib/uuid.ts';
import type { Context } from '../../foundation/context.ts';
import { getMemberImage } from './index.ts';

it('an image is not found for strangers, and reading it fails if the database is away', async () => {
  await using test = await createTestContext();
  const podcast = await makePodcast(test.ctx);
  const { rows } = await test.database.pool.query<{ id: string }>(
    `insert into images (id, podcast_id, content_type, sha256, width, height, size_bytes, created_at)
     values ($1, $2, 'image/png', $3, 1, 1, 1, now()) returning id`,
    [newId(), podcast.id, 'a'.repeat(64)],
  );
  const id = rows[0]?.id ?? '';
  const { id: userId } = await makeUser(test.ctx);
  const ctx = test.contextFor({ kind: 'user', userId });
  await expect(getMemberImage(ctx, id)).rejects.toMatchObject({ kind: 'not_found' });
  const broken = new Error('the database is away');
  const failing = {
    db: ctx.db,
    get principal(): never {
      throw broken;
    },
  } as unknown as Context;
  await expect(getMemberImage(failing, id)).rejects.toBe(broken);
});
