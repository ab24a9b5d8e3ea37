import { createWriteStream } from 'node:fs';
import { mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createTestContext, type TestContext } from '../../test/create-test-context.ts';
import { makePodcast } from '../../test/make.ts';
import { runCommand } from '../../test/run-command.ts';
import { getUserByEmail } from '../domain/foundation/accounts/index.ts';
import { findPublicPodcast, getPublicEpisode } from '../domain/public/catalogue/index.ts';
import { makeTone } from '../domain/publishing/audio/index.ts';
import type { Podcast } from '../domain/publishing/podcasts/index.ts';
import type { CommandIo } from './command-io.ts';

let test: TestContext;
let folder: string;

beforeAll(async () => {
  test = await createTestContext();
  folder = await mkdtemp(join(tmpdir(), 'podstead-cli-'));
  await pipeline(makeTone(2), createWriteStream(join(folder, 'tone.mp3')));
});
beforeEach(() => test.clock.reset());
afterAll(async () => {
  await test[Symbol.asyncDispose]();
  await rm(folder, { recursive: true });
});

/** Runs a command as a running server does, in the test's folder. */
const run = (argv: readonly string[], changes: Partial<CommandIo> = {}) =>
  runCommand(test, argv, { cwd: folder, ...changes });

describe('users and plans', () => {
  // CLI-3, CLI-19
  it('users and plans are created and changed', async () => {
    const made = await run([
      'user',
      'create',
      '--email',
      'ana@example.com',
      '--password',
      'a horse',
    ]);
    expect(made).toMatchObject({ code: 1, json: undefined });
    expect(made.said).toBe(
      'The user was not created. password: A password must have 8 to 1024 characters.\n',
    );
    const readPassword = async (question: string) => `${question} horse`;
    const asked = await run(['user', 'create', '--email', 'ana@example.com'], { readPassword });
    const { id } = await getUserByEmail(test.ctx, 'ana@example.com');
    expect(asked).toEqual({
      code: 0,
      json: { id, email: 'ana@example.com', name: 'ana' },
      said: '',
    });

    const plan = await run(['plan', 'set', 'ana@example.com', 'free', '--state', 'lapsed']);
    expect(plan.json).toEqual({
      ...{ email: 'ana@example.com', plan: 'free', plan_state: 'lapsed' },
      storage: { used_bytes: 0, included_bytes: 5_000_000_000 },
    });
    expect(await run(['plan', 'set', 'ana@example.com', 'gold'])).toMatchObject({ code: 1 });
    expect(await run(['plan', 'set', 'bo@example.com', 'free'])).toMatchObject({ code: 1 });
  });
});

describe('a podcast', () => {
  // CLI-16
  it('a podcast is suspended and resumed by its slug', async () => {
    const { id, slug } = await makePodcast(test.ctx);
    const suspended = await run(['podcast', 'suspend', slug]);
    expect(suspended.json).toEqual({ id, slug, status: 'overage_suspended' });
    expect((await run(['podcast', 'resume', slug])).json).toMatchObject({ status: 'active' });
    expect(await run(['podcast', 'resume', slug])).toMatchObject({ code: 1, json: undefined });
    expect(await run(['podcast', 'suspend', 'nowhere'])).toMatchObject({
      code: 1,
      said: 'There is no podcast nowhere.\n',
    });
  });
});

describe('episode add', () => {
  let podcast: Podcast;
  beforeEach(async () => {
    podcast = await makePodcast(test.ctx);
  });
  const add = (...more: string[]) =>
    run(['episode', 'add', podcast.slug, '--title', 'Über uns', '--audio', 'tone.mp3', ...more]);

  // CLI-17
  it('creates a draft with audio, and leaves the file in place', async () => {
    const { json, said } = await add('--season', '2', '--episode', '7', '--type', 'bonus');
    expect(said).toBe('');
    expect(json).toMatchObject({
      podcast_id: podcast.id,
      slug: 'uber-uns',
      title: 'Über uns',
      status: 'draft',
      season: 2,
      episode: 7,
      type: 'bonus',
      published_at: null,
      audio: { content_type: 'audio/mpeg' },
      links: { listen: expect.stringMatching(/\/uber-uns$/) },
    });
    expect((await stat(join(folder, 'tone.mp3'))).size).toBeGreaterThan(0);
  });

  // CLI-17
  it('publishes, under a new slug', async () => {
    await add();
    const { json } = await add('--publish');
    expect(json).toMatchObject({ slug: 'uber-uns-2', status: 'published', episode: 2 });
    const show = await findPublicPodcast(test.ctx, podcast.slug);
    expect(await getPublicEpisode(test.ctx, show!, 'uber-uns-2')).toMatchObject({
      audio: { contentType: 'audio/mpeg', durationMs: 1992 },
    });
  });

  // CLI-17
  it('episode add schedules an episode', async () => {
    const later = await add('--schedule', '+2h');
    expect(later.json).toMatchObject({
      status: 'scheduled',
      scheduled_for: '2026-03-10T14:00:00.000Z',
    });
    const due = await add('--schedule', '-2h');
    expect(due.json).toMatchObject({
      status: 'published',
      published_at: '2026-03-10T10:00:00.000Z',
    });
  });

  it.each([
    ['n.html', '<p>One <b>two</b></p><script>x</script>', '<p>One <b>two</b></p>'],
    ['n.md', '# Hi\n\n* <script>x</script>a', '<h2>Hi</h2>\n<ul>\n<li>a</li>\n</ul>'],
    ['n.txt', 'a < b\n\nc', '<p>a &lt; b</p>\n<p>c</p>'],
  ])('reads notes from %s', async (name, notes, html) => {
    await writeFile(join(folder, name), notes);
    expect((await add('--notes', name)).json).toMatchObject({ show_notes_html: html });
  });

  it('leaves nothing behind if it is refused', async () => {
    const blobs = () => readdir(join(test.ctx.blobs.scratchDir, '..'), { recursive: true });
    const before = await blobs();
    const refused: [string[], number, RegExp][] = [
      [['--publish', '--schedule', '+1h'], 2, /Use either --publish or --schedule/],
      [['--schedule', 'soon'], 2, /--schedule must be a time/],
      [['--season', 'one'], 2, /--season must be a whole number/],
      [['--season', '10000'], 1, /season/],
      [['--notes', 'nowhere.md'], 1, /There is no file .*nowhere\.md/],
      [['--notes', '.'], 1, /is not a file, but a folder/],
    ];
    for (const [more, code, message] of refused) {
      expect(await add(...more), more.join(' ')).toMatchObject({
        code,
        json: undefined,
        said: expect.stringMatching(message),
      });
    }
    await writeFile(join(folder, 'noise.mp3'), 'nothing to hear');
    const argv = ['episode', 'add', podcast.id, '--title', 'T', '--audio'];
    expect(await run([...argv, 'noise.mp3'])).toMatchObject({ code: 1 });
    for (const [audio, message] of [
      ['.', 'is not a file, but a folder'],
      ['nowhere.mp3', 'There is no file'],
    ] as const) {
      const said = expect.stringContaining(message);
      expect(await run([...argv, audio])).toMatchObject({ code: 1, said });
    }
    expect(await blobs()).toEqual(before);
    expect((await add()).json).toMatchObject({ episode: 1 });
  });
});

describe('episode set, publish, unpublish, archive and delete', () => {
  let id: string;
  beforeEach(async () => {
    const { slug } = await makePodcast(test.ctx);
    const made = await run(['episode', 'add', slug, '--title', 'One', '--audio', 'tone.mp3']);
    id = String(made.json?.['id']);
  });
  const set = (...changes: string[]) => run(['episode', 'set', id, ...changes]);

  // CLI-18
  it('episode set, publish, unpublish, archive and delete change fields with the names of seed files', async () => {
    const changed = await set(
      'title=1984',
      'subtitle=a=b',
      'description=null',
      'season=3',
      'episode=9',
      'type=trailer',
      'explicit=true',
      'publish_transcript=true',
      'share_transcript_with_cohosts=true',
      'show_notes_html=<p>x</p>',
      'slug=nineteen',
    );
    expect(changed.json).toMatchObject({
      title: '1984',
      subtitle: 'a=b',
      description: 'null',
      season: 3,
      episode: 9,
      type: 'trailer',
      explicit: true,
      publish_transcript: true,
      share_transcript_with_cohosts: true,
      show_notes_html: '<p>x</p>',
      slug: 'nineteen',
    });
    const emptied = await set('subtitle=null', 'season=null', 'show_notes_html=null');
    expect(emptied.json).toMatchObject({ subtitle: null, season: null, show_notes_html: null });
  });

  // CLI-18, STATE-8
  it('episode set, publish, unpublish, archive and delete change the status', async () => {
    expect((await set('scheduled_for=+1h')).json).toMatchObject({ status: 'scheduled' });
    expect((await run(['episode', 'publish', id])).json).toMatchObject({
      status: 'published',
      published_at: test.clock.now().toISOString(),
    });
    expect((await set('published_at=-1d')).json).toMatchObject({
      status: 'published',
      published_at: '2026-03-09T12:00:00.000Z',
    });
    expect((await run(['episode', 'unpublish', id])).json).toMatchObject({ status: 'draft' });
    expect((await set('status=published')).json).toMatchObject({
      published_at: '2026-03-09T12:00:00.000Z',
    });
    expect((await run(['episode', 'archive', id])).json).toMatchObject({ status: 'archived' });
    expect((await set('status=draft', 'title=Again')).json).toMatchObject({
      status: 'draft',
      title: 'Again',
    });
    const deleted = await run(['episode', 'delete', id]);
    expect(deleted.json).toMatchObject({ id, title: 'Again', deleted: true });
    expect(deleted.said).toMatch(/^Deleted the episode "Again" \(\S+\) of \S+ with its audio/);
    expect(await run(['episode', 'delete', id])).toMatchObject({ code: 1 });
  });

  it('episode set, publish, unpublish, archive and delete change all or nothing', async () => {
    const refused = await set('title=Changed', 'published_at=+1h');
    expect(refused).toMatchObject({ code: 1, said: expect.stringMatching(/in the future/) });
    expect((await set('explicit=true')).json).toMatchObject({ title: 'One', explicit: true });
  });

  it.each([
    [['titel=x', 'tilte=y'], /Unknown field titel, tilte/],
    [['constructor=x'], /Unknown field constructor/],
    [['created_at=-1d'], /Unknown field created_at/],
    [['title'], /"title" is not FIELD=VALUE/],
    [['=x'], /not FIELD=VALUE/],
    [['title=a', 'title=b'], /title may be given only once/],
    [['season=-1'], /season must be a whole number/],
    [['explicit=yes'], /explicit must be true or false/],
    [['type=extra'], /type must be one of full, trailer, bonus/],
    [['status=pending_confirmation'], /status must be one of/],
    [['status=scheduled'], /needs scheduled_for/],
    [['status=draft', 'published_at=-1d'], /published_at with status=published/],
    [['published_at=-1d', 'scheduled_for=+1d'], /scheduled_for with status=scheduled/],
    [['published_at=yesterday'], /published_at must be a time/],
    [
      ['season=x', 'explicit=y', 'slug=Z'],
      /season must be .*\nexplicit must be .*\nslug: Use 1 to 100 lowercase letters/,
    ],
  ])(
    'episode set, publish, unpublish, archive and delete report wrong usage: %j',
    async (changes, message) => {
      const refused = await set(...changes);
      expect(refused).toMatchObject({ code: 2, json: undefined });
      expect(refused.said).toMatch(message);
    },
  );

  it('episode set, publish, unpublish, archive and delete explain how to schedule a published episode', async () => {
    await run(['episode', 'publish', id]);
    expect(await set('scheduled_for=+1d')).toMatchObject({
      code: 1,
      said: expect.stringMatching(
        /is published. Return it to draft first. Use `episode unpublish`/,
      ),
    });
  });

  it.each([
    [['episode', 'publish'], []],
    [['episode', 'set'], ['status=published']],
    [['episode', 'set'], ['scheduled_for=+1d']],
  ])(
    'episode set, publish, unpublish, archive and delete warn of a publication without audio: %j %j',
    async (command, changes) => {
      const warning =
        /^This episode has no audio: it (is|will be) public .*, but not in the feed\.\n$/;
      expect((await run([...command, id, ...changes])).said).toBe('');
      await set('status=draft');
      expect((await set('audio=')).said).toBe('');
      const warned = await run([...command, id, ...changes]);
      expect(warned).toMatchObject({ code: 0, said: expect.stringMatching(warning) });
      expect((await set('title=Silent')).said).toBe('');
    },
  );

  it('episode set, publish, unpublish, archive and delete warn if the audio of a scheduled or public episode is removed', async () => {
    await set('scheduled_for=+1d');
    expect((await set('audio=')).said).toMatch(/no audio: it will be public/);
    expect((await set('status=published')).said).toMatch(/no audio: it is public/);
  });

  it('delete asks on a terminal, unless --yes is given', async () => {
    const asked: string[] = [];
    const answering = (response: string) => ({
      canAsk: true,
      ask: async (question: string) => {
        asked.push(question);
        return response;
      },
    });
    for (const response of ['', 'n', 'yesterday']) {
      const kept = await run(['episode', 'delete', id], answering(response));
      expect(kept, response).toMatchObject({ code: 1, said: 'Nothing was deleted.\n' });
    }
    expect(asked[0]).toMatch(
      /^This permanently deletes the episode ".*" \(.*Continue\? \[y\/N\] $/,
    );
    expect((await run(['episode', 'show', id])).code).toBe(0);
    expect(await run(['episode', 'delete', id], answering('y'))).toMatchObject({ code: 0 });
    expect((await run(['episode', 'show', id])).code).toBe(1);
  });

  it('episode set, publish, unpublish, archive and delete report an invalid id', async () => {
    for (const verb of ['show', 'publish', 'unpublish', 'archive', 'delete']) {
      expect(await run(['episode', verb, 'one'])).toMatchObject({
        code: 1,
        said: '"one" is not an episode id. See `episode list PODCAST`.\n',
      });
    }
  });
});

describe('import', () => {
  // CLI-14, IMPORT-1
  it('imports a feed, shows progress, and prints its report', async () => {
    const { ctx } = test;
    const owner = await run([
      'user',
      'create',
      '--email',
      'cy@example.com',
      '--password',
      'correct horse',
    ]);
    expect(owner.code).toBe(0);
    await writeFile(
      join(folder, 'feed.xml'),
      `<rss version="2.0"><channel><title>A feed of one</title><description>d</description>
        <item><title>First</title><guid>one</guid><pubDate>Mon, 02 Mar 2026 10:00:00 GMT</pubDate>
        <enclosure url="https://audio.example/1.mp3" type="audio/mpeg" length="1"/></item>
      </channel></rss>`,
    );
    const argv = [
      'import',
      'feed.xml',
      '--owner',
      'cy@example.com',
      '--no-audio',
      '--slug',
      'one-feed',
    ];
    const planned = await run([...argv, '--dry-run']);
    expect(planned.json).toMatchObject({ dry_run: true, import_id: null, created: 1 });
    expect(planned.said).toMatch(/\nThis was a dry run: nothing was imported\.\n$/);
    const first = await run(argv);
    expect(first.json).toMatchObject({
      dry_run: false,
      podcast: { slug: 'one-feed', outcome: 'created' },
      created: 1,
      failed: 0,
    });
    expect(first.said).toMatch(/^reading the feed\nepisodes\n/);
    expect(first.said).toMatch(/one-feed: 1 new, 0 changed, 0 unchanged, 0 failed\.\n/);
    expect(first.said).toMatch(/\nSee the report for: "warnings" \(\d\)\.\n/);
    expect((await run(argv)).json).toMatchObject({ created: 0, unchanged: 1 });
    const show = await findPublicPodcast(ctx, 'one-feed');
    expect(await getPublicEpisode(ctx, show!, 'first')).toMatchObject({ guid: 'one' });
    expect(await run(['import', 'feed.xml', '--owner', 'zoe@example.com'])).toMatchObject({
      code: 1,
      json: undefined,
    });
  });
});

describe('commands of a process of its own', () => {
  it.each(['serve', 'config', 'openapi', 'routes'])(
    'commands of a process of its own do not run in another process: %s',
    async (name) => {
      expect(await run([name])).toMatchObject({ code: 1, json: undefined });
    },
  );

  it('commands of a process of its own of later versions do not exist', async () => {
    for (const argv of [
      ['key', 'create'],
      ['downloads', 'recount'],
      ['restore', 'dir'],
    ]) {
      expect(await run(argv)).toMatchObject({ code: 2, json: undefined });
    }
  });
});

describe('files', () => {
  // CLI-25
  it('files are swept: --dry-run counts, then they are removed, with progress on a terminal', async () => {
    test.clock.set(new Date(Date.now() + 25 * 3_600_000));
    // Replaced files of the tests before.
    await run(['files', 'sweep']);
    const key = 'audio/018f0000-0000-7000-8000-000000000001.mp3';
    await test.ctx.blobs.put(key, Buffer.from('12345'), 'audio/mpeg');
    const dry = await run(['files', 'sweep', '--dry-run']);
    expect(dry).toMatchObject({ code: 0, json: { removed: 1, bytes: 5, dry_run: true }, said: '' });
    expect(await test.ctx.blobs.stat(key)).toEqual({ sizeBytes: 5 });
    const swept = await run(['files', 'sweep'], { isTerminal: true });
    expect(swept).toMatchObject({ code: 0, json: { ...dry.json, dry_run: false } });
    expect(swept.said).toMatch(/files: \d+ checked, 1 unreferenced/);
    expect(await test.ctx.blobs.stat(key)).toBeUndefined();
    expect(await run(['files', 'sweep'])).toMatchObject({ json: { removed: 0, bytes: 0 } });
  });
});
