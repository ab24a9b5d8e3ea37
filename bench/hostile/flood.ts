import { answerParent, readInput } from '../answer-parent.ts';
import { rangeOf } from '../downloads/ranges.ts';
import { type FuzzedRequest, RequestMaker } from '../fuzz/make-request.ts';
import { Random } from '../fuzz/random.ts';
import { Sender } from '../fuzz/send.ts';
import { setSessionPriority } from './set-priority.ts';
import { type Counted, Tally } from './tally.ts';
import type { ServedShow } from './world.ts';

// Anonymous requests for every path, each from a random address and client, over a fixed number of
// connections.

const connections = 8;
const anythingShare = 0.5;
const brokenShare = 0.1;

const { url, origin, seed, noisy, flooded } = readInput<{
  readonly url: string;
  /** The origin of the service's pages. */
  readonly origin: string;
  readonly seed: number;
  readonly noisy: ServedShow;
  readonly flooded: ServedShow;
}>();
// The clients of a real server have processors of their own.
setSessionPriority(10);
const random = new Random(seed);
const maker = new RequestMaker(random, origin, {
  cookies: ['podstead_session=unknown'],
  secrets: ['svc_live_unknown'],
  values: {
    podcast: [noisy.id],
    episode: noisy.episodeIds,
    slug: [noisy.slug, 'e0', 'e1', 'e2'],
    email: ['nobody@example.com', 'somebody@example.com'],
    password: ['a wrong password'],
    challenge: ['E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM'],
  },
});
const sender = new Sender(url, connections);
const tally = new Tally();
let isOver = false;
const flooding = Promise.all(Array.from({ length: connections }, flood));

answerParent('ready', {
  async end(): Promise<Counted> {
    isOver = true;
    await flooding;
    sender[Symbol.dispose]();
    return tally.counted;
  },
});

async function flood(): Promise<void> {
  while (!isOver) {
    const isAnything = random.chance(anythingShare);
    const made = isAnything ? maker.make() : requestFlooded();
    const request = {
      ...made,
      headers: { ...made.headers, 'x-forwarded-for': anyAddress(), 'user-agent': anyClient() },
    };
    // A broken request for the flooded show could be one for a whole file.
    const isBroken = isAnything && random.chance(brokenShare);
    const response = isBroken
      ? await sender.sendBroken(random, request)
      : await sender.send(request);
    if (response.isSilent) tally.remark(`no response: ${request.method} ${request.target}`);
    if (isBroken) tally.add('broken requests');
    tally.addResponse(response.status, () =>
      JSON.stringify([request.method, request.target, request.body, response.text.slice(-400)]),
    );
  }
}

/** One for the show whose downloads are compared: less than a minute of its audio. */
function requestFlooded(): FuzzedRequest {
  const { slug, id, episodeIds, paths } = flooded;
  const episode = random.pick(episodeIds);
  const page = encodeURIComponent(`${origin}/listen/${slug}`);
  const target = random.pick([
    `/feeds/${slug}.xml`,
    `/listen/${slug}`,
    `/listen/${slug}?q=e${random.below(1_000)}`,
    `/listen/${slug}/e${random.below(6)}`,
    `/ep/${episode}`,
    `/latest/${slug}`,
    `/v1/podcasts/${slug}`,
    `/v1/podcasts/${slug}/episodes?limit=${1 + random.below(100)}`,
    `/v1/episodes/${episode}`,
    `/v1/oembed?url=${page}&maxwidth=${random.below(2_000)}`,
    `/waveforms/${episode}.json`,
    `/app/sign-in?next=${random.next()}`,
    `/${random.next()}/${id}`,
  ]);
  const isAudio = random.chance(0.5);
  const method = random.chance(0.1) ? 'HEAD' : 'GET';
  if (!isAudio) return { method, target, headers: {}, body: undefined };
  const from = random.next() * 0.9;
  const range = rangeOf(flooded, [from, from + 0.05]);
  return { method, target: random.pick(paths), headers: { range }, body: undefined };
}

/** Not one of the honest listeners', which begin with 10. */
function anyAddress(): string {
  if (random.chance(0.2)) return '198.51.100.7';
  const bytes = Array.from({ length: 3 }, () => random.below(256));
  return [11 + random.below(200), ...bytes].join('.');
}

function anyClient(): string {
  if (random.chance(0.1)) return 'Googlebot/2.1 (+http://www.google.com/bot.html)';
  return `${random.pick(['AntennaPod', 'Overcast', 'Mozilla', 'curl'])}/${random.below(100_000)}`;
}
