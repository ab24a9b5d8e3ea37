import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestContext, type TestContext } from '../../../../../test/create-test-context.ts';
import { ingest, makeAudioRequest, makeShow, type Show } from '../../../../../test/downloads.ts';
import { explainDownloads, secretForDay } from '../index.ts';
import { hideClient } from '../to-audio-request.ts';

let test: TestContext;
let show: Show;
const day = '2026-03-10';
const someone = { address: '192.0.2.1', userAgent: 'App/1' };
beforeAll(async () => {
  test = await createTestContext();
  show = await makeShow(test.ctx);
  const other = { episodeId: show.episodeIds[1] };
  const short = { listener: 'b'.repeat(32), audio: [{ start: 0, end: 39 }] };
  const secret = await secretForDay(test.ctx, day);
  await ingest(
    test.ctx,
    makeAudioRequest(test.ctx, show, { refusal: 'probe', audio: [{ start: 0, end: 1 }] }),
    makeAudioRequest(test.ctx, show),
    makeAudioRequest(test.ctx, show, { ...short, requests: 4 }),
    makeAudioRequest(test.ctx, show, { listener: 'c'.repeat(32), refusal: 'head', requests: 3 }),
    makeAudioRequest(test.ctx, show, hideClient(secret, someone, { country: null, network: null })),
    makeAudioRequest(test.ctx, show, other),
  );
});
afterAll(() => test[Symbol.asyncDispose]());

describe('an explanation', () => {
  it('an explanation leads from requests over the rejected ones to what counted', async () => {
    const [episodeId] = show.episodeIds;
    expect(await explainDownloads(test.ctx, { episodeId, day })).toEqual({
      requests: 10,
      rejected: { head: 3, probe: 1 },
      listeners: 3,
      counted: 2,
      withoutDetails: 0,
    });
  });

  it.each([
    ['that counted', 'a', { requests: 1, rejected: {}, receivedBytes: 100, counted: true }],
    ['that received too little', 'b', { requests: 4, receivedBytes: 40, counted: false }],
    ['without a request that may count', 'c', { requests: 0, receivedBytes: 0 }],
    ['that is unknown', 'd', { requests: 0, rejected: {}, counted: false }],
  ])('an explanation says why for a listener %s', async (_, letter, expected) => {
    const [episodeId] = show.episodeIds;
    const hash = letter.repeat(32);
    const { listener } = await explainDownloads(test.ctx, { episodeId, day, listener: { hash } });
    expect(listener).toMatchObject({ hash, ...expected });
  });

  it('finds a listener by address and user agent', async () => {
    const [episodeId] = show.episodeIds;
    const explained = await explainDownloads(test.ctx, { episodeId, day, listener: someone });
    expect(explained.listener).toMatchObject({
      ...{ requests: 1, counted: true, listenersOfAddress: 1 },
    });
  });

  it('an explanation is refused for a day without evidence', async () => {
    const [episodeId] = show.episodeIds;
    await expect(
      explainDownloads(test.ctx, { episodeId, day: '2026-03-07' }),
    ).rejects.toMatchObject({
      kind: 'not_found',
      message: expect.stringContaining('There is no evidence for 2026-03-07.'),
    });
  });

  it('an explanation is empty for an episode without requests, and refused for an unknown one', async () => {
    const query = { episodeId: show.episodeIds[0], day: '2026-03-09' };
    expect(await explainDownloads(test.ctx, query)).toMatchObject({ requests: 0, counted: 0 });
    await expect(
      explainDownloads(test.ctx, { episodeId: show.podcastId, day }),
    ).rejects.toMatchObject({ kind: 'not_found', message: 'There is no such episode.' });
  });
});
