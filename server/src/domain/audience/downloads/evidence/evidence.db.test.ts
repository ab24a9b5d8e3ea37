import { afterAll, beforeAll, expect, it } from 'vitest';
import { createTestContext, type TestContext } from '../../../../../test/create-test-context.ts';
import { ingest, makeAudioRequest, makeShow } from '../../../../../test/downloads.ts';
import { transact } from '../../../foundation/context.ts';
import { readEvidence } from './evidence.sql.ts';

let test: TestContext;
beforeAll(async () => {
  test = await createTestContext();
});
afterAll(() => test[Symbol.asyncDispose]());

it.each([1, 2, 3, 256])(
  'the evidence of a day in %d parts holds each listener once',
  async (parts) => {
    const day = '2026-03-10';
    const show = await makeShow(test.ctx);
    const hashes = ['00', '01', '55', '56', '7f', '80', 'fe', 'ff'].map((byte) => byte.repeat(16));
    await ingest(
      test.ctx,
      ...hashes.map((listener) => makeAudioRequest(test.ctx, show, { listener })),
    );
    const read: string[] = [];
    await transact(test.ctx, async ({ db }) => {
      for (let part = 0; part < parts; part += 1)
        for await (const rows of readEvidence(db, { day, part, parts }, 3))
          for (const { request } of rows)
            if (request.podcastId === show.podcastId) read.push(request.listener);
    });
    expect(read).toEqual(hashes);
  },
);
