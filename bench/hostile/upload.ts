import { setTimeout as sleep } from 'node:timers/promises';
import { hostileFeeds } from '../../server/test/hostile-feeds.ts';
import { createTusClient, type TusClient, type TusResponse } from '../../server/test/tus-client.ts';
import { answerParent, readInput } from '../answer-parent.ts';
import { Random } from '../fuzz/random.ts';
import { type FeedHost, openFeedHost } from '../imports/feed-host.ts';
import { type HostileFile, makeHostileFiles } from './hostile-files.ts';
import { setSessionPriority } from './set-priority.ts';
import { type Counted, Tally } from './tally.ts';
import type { OwnedShow } from './world.ts';

// Signed-in users who send hostile files of every kind at once, each in another order.

const { url, origin, seed, shows } = readInput<{
  readonly url: string;
  readonly origin: string;
  readonly seed: number;
  readonly shows: readonly OwnedShow[];
}>();
setSessionPriority(10);
const random = new Random(seed);
const responses = new Tally();
const kinds = new Tally();
const over = new AbortController();
const brokenBytes = 5_000_000;
const importMs = 60_000;
let imports = 0;

export interface Uploaded {
  readonly responses: Counted;
  /** By the kind of file and the response. */
  readonly kinds: Counted;
}

interface User {
  readonly show: OwnedShow;
  readonly client: TusClient;
}

interface Attack {
  readonly name: string;
  carryOut(user: User): Promise<TusResponse | undefined>;
}

async function attack(show: OwnedShow): Promise<void> {
  const client = createTusClient(
    () => url,
    () => show.cookie,
  );
  while (!over.signal.aborted) {
    const { name, carryOut } = random.pick(attacks);
    try {
      const response = await carryOut({ show, client });
      kinds.add(`${name}: ${response?.status ?? 'sent'}`);
      if (response !== undefined)
        responses.addResponse(response.status, () => `${name}: ${response.body}`);
    } catch (error) {
      kinds.add(`${name}: ${(error as NodeJS.ErrnoException).code ?? String(error)}`);
      await sleep(100);
    }
  }
}

async function makeAttacks(feeds: FeedHost): Promise<readonly Attack[]> {
  const files = await makeHostileFiles();
  return [
    ...files.map((file) => ({
      name: file.name,
      carryOut: (user: User) =>
        file.purpose === 'table' ? sendTable(user, file) : use(user, file),
    })),
    ...serveFeeds(feeds),
    ...notes.map(([name, html]) => ({
      name: `show notes of ${name}`,
      carryOut: ({ client, show: { episodeIds } }: User) =>
        ask(client, 'PATCH', `/app/api/episodes/${episodeIds[1]}`, { show_notes_html: html }),
    })),
    { name: 'upload broken off', carryOut: breakUpload },
    { name: 'upload broken off', carryOut: breakUpload },
    { name: 'compared audio', carryOut: (user) => compareAudio(user, files) },
  ];
}

const notes: readonly (readonly [string, string])[] = [
  ['open elements', '<div>'.repeat(39_000)],
  ['links', '<a href="https://a.example/?b=c">d</a> '.repeat(5_000)],
  ['open links', '<a href="'.repeat(22_000)],
  ['tables', '<table><tr><td>'.repeat(13_000)],
  ['references', '&#38;amp;'.repeat(22_000)],
  ['comments', '<!--'.repeat(49_000)],
];

function ask(client: TusClient, method: string, path: string, body: object): Promise<TusResponse> {
  const headers = { 'content-type': 'application/json', 'if-match': '*' };
  return client.request(method, path, { headers, body: Buffer.from(JSON.stringify(body)) });
}

/** Undefined with the refusal, if the upload was not begun. */
async function begin(
  { client, show }: User,
  { purpose, filename }: HostileFile,
  sizeBytes: number,
): Promise<{ readonly location?: string; readonly refusal?: TusResponse }> {
  const created = await client.create(sizeBytes, {
    ...{ purpose, filename, podcast_id: show.podcastId },
    episode_id: show.episodeIds[0] ?? '',
  });
  const { location } = created.headers;
  return typeof location === 'string' ? { location } : { refusal: created };
}

const uses = {
  image: (show: OwnedShow) => `/app/api/episodes/${show.episodeIds[0]}/artwork`,
  audio: (show: OwnedShow) => `/app/api/episodes/${show.episodeIds[0]}/audio`,
  transcript: (show: OwnedShow) => `/app/api/episodes/${show.episodeIds[0]}/transcript`,
  chapters: (show: OwnedShow) => `/app/api/episodes/${show.episodeIds[0]}/chapters-file`,
  table: (show: OwnedShow) => `/app/api/podcasts/${show.podcastId}/platforms/spotify`,
};

async function use(user: User, file: HostileFile): Promise<TusResponse | undefined> {
  const { client, show } = user;
  const { location, refusal } = await begin(user, file, file.bytes.length);
  if (location === undefined) return refusal;
  const sent = await client.send(location, 0, file.bytes);
  let response = sent;
  if (sent.status === 204) {
    const upload_id = location.split('/').at(-1);
    const language = file.purpose === 'transcript' ? { language: 'en' } : {};
    response = await ask(client, 'PUT', uses[file.purpose](show), { upload_id, ...language });
    if (file.purpose === 'audio' && response.status === 200) await readTags(user);
  }
  await client.request('DELETE', location);
  return response;
}

async function readTags({ client, show }: User): Promise<void> {
  const path = `/app/api/episodes/${show.episodeIds[0]}/audio/file-chapters`;
  const { status, body } = await client.request('GET', path);
  responses.addResponse(status, () => `tags: ${body}`);
}

function sendTable({ client, show }: User, { bytes }: HostileFile): Promise<TusResponse> {
  const headers = { 'content-type': 'text/csv' };
  const isCheck = random.chance(0.5);
  const path = uses.table(show);
  return isCheck
    ? client.request('POST', `${path}/check`, { headers, body: bytes })
    : client.request('PUT', path, { headers, body: bytes });
}

async function breakUpload(user: User): Promise<TusResponse | undefined> {
  const { client } = user;
  const file = { name: '', purpose: 'audio', filename: 'a.mp3', bytes: Buffer.alloc(0) } as const;
  const { location, refusal } = await begin(user, file, 2 * brokenBytes);
  if (location === undefined) return refusal;
  await client.sendAndBreak(location, 0, Buffer.alloc(brokenBytes, 'ID3\x03'), 2 * brokenBytes);
  const { status, headers } = await client.head(location);
  if (status === 200 && random.chance(0.5)) {
    const at = Number(headers['upload-offset']);
    await client.sendAndBreak(location, at, Buffer.alloc(100_000), 200_000);
  }
  await client.request('DELETE', location);
  return undefined;
}

async function compareAudio(
  user: User,
  files: readonly HostileFile[],
): Promise<TusResponse | undefined> {
  const { client, show } = user;
  const file = random.pick(files.filter(({ filename }) => filename.endsWith('.mp3')));
  const { location, refusal } = await begin(user, file, file.bytes.length);
  if (location === undefined) return refusal;
  await client.send(location, 0, file.bytes);
  const path = `/app/api/episodes/${show.episodeIds[0]}/audio/replacement`;
  const response = await ask(client, 'POST', path, { upload_id: location.split('/').at(-1) });
  await client.request('GET', path);
  await client.request('DELETE', location);
  return response;
}

function serveFeeds(feeds: FeedHost): readonly Attack[] {
  const place = { host: feeds.url, ours: origin };
  return hostileFeeds({ items: 40, many: 20_000 }).map(
    ({ name, write, files = {}, isDryRun }, at) => {
      const path = `/${at}.xml`;
      feeds.serve(path, Buffer.from(write(place)));
      for (const [file, text] of Object.entries(files)) feeds.serve(file, Buffer.from(text()));
      return {
        name: `feed: ${name}`,
        carryOut: (user) => importFeed(user, feeds.url + path, isDryRun ?? random.chance(0.7)),
      };
    },
  );
}

async function importFeed({ client }: User, feed: string, dry_run: boolean): Promise<TusResponse> {
  imports += 1;
  const wanted = { url: feed, slug: `imported-${imports}`, copy_audio: false, dry_run };
  const begun = await ask(client, 'POST', '/app/api/imports', wanted);
  if (begun.status !== 201) return begun;
  const { id } = (JSON.parse(begun.body) as { data: { id: string } }).data;
  const until = Date.now() + importMs;
  while (Date.now() < until && !over.signal.aborted) {
    await sleep(500);
    const { status, body } = await client.request('GET', `/app/api/imports/${id}`);
    if (status === 200 && !body.includes('"running"')) return begun;
  }
  return await ask(client, 'POST', `/app/api/imports/${id}/cancel`, {});
}

await using host = await openFeedHost();
const attacks = await makeAttacks(host);
const attacking = Promise.all(shows.map(attack));

answerParent('ready', {
  async end(): Promise<Uploaded> {
    over.abort();
    await attacking;
    return { responses: responses.counted, kinds: kinds.counted };
  },
});
await attacking;
