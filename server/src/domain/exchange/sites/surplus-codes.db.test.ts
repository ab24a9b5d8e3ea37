import { expect, it } from 'vitest';
import { createTestContext } from '../../../../test/create-test-context.ts';
import { makePodcast, makeUser } from '../../../../test/make.ts';
import { challengeOf } from '../../../../test/make-site.ts';
import { newSecretToken } from '../../../lib/secret-token.ts';
import { anyone } from '../../foundation/principal.ts';
import { approveConnection, exchangeCode } from './index.ts';

it('keeps the newest 200 codes of a user', async () => {
  await using test = await createTestContext();
  const { ctx } = test;
  const owner = await makeUser(ctx);
  const { id: podcastId } = await makePodcast(ctx, { owner });
  const siteUrl = 'https://blog.example.com/';
  const codeVerifier = newSecretToken();
  const codeChallenge = challengeOf(codeVerifier);
  const addresses = { siteUrl, restRoot: `${siteUrl}wp-json/` };
  const choice = { userId: owner.id, podcastIds: [podcastId], transcripts: false };
  const codes: string[] = [];
  for (let at = 0; at < 202; at += 1) {
    test.clock.advance(1);
    codes.push((await approveConnection(ctx, { ...addresses, ...choice, codeChallenge })).code);
  }
  const exchange = (at: number) =>
    exchangeCode({ ...ctx, principal: anyone }, { code: codes[at] ?? '', codeVerifier });
  await expect(exchange(1)).rejects.toThrow('unknown');
  expect((await exchange(2)).podcastIds).toEqual([podcastId]);
});
