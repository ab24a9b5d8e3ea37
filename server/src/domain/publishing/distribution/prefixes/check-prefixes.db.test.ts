import { Readable } from 'node:stream';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createTestContext, type TestContext } from '../../../../../test/create-test-context.ts';
import { makeEpisode, makePodcast, makeUser } from '../../../../../test/make.ts';
import {
  OutboundError,
  type OutboundHttp,
} from '../../../../platform/outbound-http/outbound-http.ts';
import { attachTone } from '../../audio/index.ts';
import { type Podcast, pausePodcast, updatePodcast } from '../../podcasts/index.ts';
import { checkPrefixes, checkPrefixesOfShow, readHealth } from '../index.ts';

const op3 = 'https://op3.dev/e/';
const podtrac = 'https://dts.podtrac.com/redirect.mp3/';
const day = 24 * 60 * 60_000;

let test: TestContext;
let show: Podcast;
/** What a host does with what comes behind its prefix; others redirect there. */
const hosts = new Map<string, (rest: string) => string | number | OutboundError>();
let requested: string[];

/** The services. Nothing may request the audio itself, which would count as a download. */
const services: Pick<OutboundHttp, 'request'> = {
  async request(first, { method, checkAddress }) {
    expect(method).toBe('HEAD');
    for (let url = first; ; ) {
      checkAddress?.(url);
      const { host } = new URL(url);
      requested.push(host);
      const [, rest = ''] = /^https?:\/\/[^/]+\/(?:e|redirect\.mp3|m)\/(.*)$/.exec(url) ?? [];
      const target =
        hosts.get(host)?.(rest) ?? (rest.startsWith('http') ? rest : `https://${rest}`);
      if (target instanceof OutboundError) throw target;
      if (typeof target === 'string') url = target;
      else {
        const sent = { status: target, url, permanentUrl: first, headers: {} };
        return { ...sent, body: Readable.from([]) };
      }
    }
  },
};

beforeAll(async () => {
  test = await createTestContext({ BASE_URL: 'https://pods.example' });
  show = await makePodcast(test.ctx);
  const { id } = await makeEpisode(test.ctx, show, { slug: 'one' });
  await attachTone(test.ctx, id, 1);
});
afterAll(() => test[Symbol.asyncDispose]());
beforeEach(() => {
  hosts.clear();
  requested = [];
});

const check = () =>
  checkPrefixes({ ...test.ctx, outbound: services as OutboundHttp }, new AbortController().signal);
const setPrefixes = (...enclosurePrefixes: string[]) =>
  updatePodcast(test.ctx, show.id, { enclosurePrefixes });
async function found() {
  const { findings } = await readHealth(test.ctx, show.id);
  return findings.flatMap(({ rule, message }) => (rule.startsWith('prefixes') ? [message] : []));
}

describe('a check of measurement prefixes (FEED-18)', () => {
  it('a check follows the prefixes up to the audio, and finds nothing wrong', async () => {
    await setPrefixes(op3, podtrac);
    expect(await found()).toEqual([]);
    await check();
    expect(requested).toEqual(['op3.dev', 'dts.podtrac.com']);
    expect(await found()).toEqual([]);
  });

  it.each<readonly [string, string | number | OutboundError, RegExp]>([
    ['does not respond', new OutboundError('timeout', 'x'), /dts\.podtrac\.com can’t be reached/],
    ['is not there', new OutboundError('unreachable', 'x'), /dts\.podtrac\.com can’t be reached/],
    [
      'has a loop',
      new OutboundError('too_many_redirects', 'x'),
      /dts\.podtrac\.com doesn’t redirect/,
    ],
    ['has a page', 200, /dts\.podtrac\.com doesn’t redirect/],
    ['knows no such show', 404, /dts\.podtrac\.com doesn’t redirect/],
  ])('a check names a service that %s', async (_, answer, message) => {
    hosts.set('dts.podtrac.com', () => answer);
    await setPrefixes(op3, podtrac);
    test.clock.advance(day);
    await check();
    expect(await found()).toEqual([expect.stringMatching(message)]);
    await setPrefixes(op3);
    expect(await found()).toEqual([]);
  });

  it('a check names a host that is reached over http on the way', async () => {
    hosts.set('op3.dev', (rest) => `http://plain.example/m/${rest}`);
    await setPrefixes(op3);
    test.clock.advance(day);
    await check();
    expect(await found()).toEqual([
      expect.stringMatching(/plain\.example is reached without HTTPS/),
    ]);
  });

  it('a prefix that fingerprints do not know is advice, with its URL', async () => {
    await setPrefixes('https://measure.example/m', op3);
    expect(await found()).toEqual([expect.stringContaining('https://measure.example/m')]);
    await setPrefixes('https://op3.dev/e', 'https://op3.dev/e,pg=x/');
    expect(await found()).toEqual([]);
  });

  it('a check is repeated after a day, and at once for other prefixes', async () => {
    await setPrefixes(op3);
    await check();
    requested = [];
    await check();
    expect(requested).toEqual([]);
    await setPrefixes(podtrac);
    await check();
    expect(requested).toEqual(['dts.podtrac.com']);
    test.clock.advance(day);
    await check();
    expect(requested).toEqual(['dts.podtrac.com', 'dts.podtrac.com']);
  });

  it('a check leaves out shows without prefixes, without audio, and those that are not public', async () => {
    await setPrefixes();
    const silent = await makePodcast(test.ctx, { enclosurePrefixes: [op3] });
    const paused = await makePodcast(test.ctx, { enclosurePrefixes: [op3] });
    await pausePodcast(test.ctx, paused.id);
    await check();
    expect(requested).toEqual([]);
    expect((await readHealth(test.ctx, silent.id)).passed).toContainEqual(
      expect.objectContaining({ rule: 'prefixes_work' }),
    );
  });

  it('an editor checks at once, a limited number of times, and the result is in Health', async () => {
    const owner = await makeUser(test.ctx);
    const own = {
      ...test.contextFor({ kind: 'user', userId: owner.id }),
      outbound: services as OutboundHttp,
    };
    const podcast = await makePodcast(test.ctx, { owner, enclosurePrefixes: [op3] });
    const checkNow = () => checkPrefixesOfShow(own, podcast.id);
    expect(await checkNow()).toEqual({ problem: 'nothing', host: null });
    const episode = await makeEpisode(test.ctx, podcast, { slug: 'one' });
    await attachTone(test.ctx, episode.id, 1);
    expect(await checkNow()).toEqual({ problem: 'none', host: null });
    hosts.set('op3.dev', () => 404);
    expect(await checkNow()).toEqual({ problem: 'elsewhere', host: 'op3.dev' });
    const { findings } = await readHealth(own, podcast.id);
    expect(findings.map(({ rule }) => rule)).toContain('prefixes_work');
    hosts.clear();
    for (let n = 2; n < 10; n += 1) await checkNow();
    await expect(checkNow()).rejects.toMatchObject({ kind: 'rate_limited' });
    expect(requested).toHaveLength(10);
    await expect(
      checkPrefixesOfShow({ ...own, outbound: test.ctx.outbound }, show.id),
    ).rejects.toMatchObject({ kind: 'not_found' });
  });
});
