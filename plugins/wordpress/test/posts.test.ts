import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import sharp from 'sharp';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { ConnectedSite } from './connected-site.ts';
import { openSharedWordPress } from './share-wordpress.ts';
import { type Service, startService } from './start-service.ts';
import type { WordPress } from './start-wordpress.ts';

const folder = mkdtempSync(join(tmpdir(), 'podstead-site-'));
const artwork = join(folder, 'artwork.png');
let wordpress: WordPress;
let service: Service;
let site: ConnectedSite;

beforeAll(async () => {
  wordpress = openSharedWordPress();
  service = await startService(wordpress);
  site = new ConnectedSite(wordpress, service);
  const background = { r: 170, g: 51, b: 0 };
  await sharp({ create: { width: 1400, height: 1400, channels: 3, background } })
    .png()
    .toFile(artwork);
});
afterAll(async () => {
  const complaints = await wordpress.takeComplaints();
  await service?.stop();
  rmSync(folder, { recursive: true });
  expect(complaints).toEqual([]);
});
beforeEach(() => site.reset());

// Longer than the pause after a failed request.
const soon = { timeout: 120_000, interval: 300 };
let users = 0;

/** Connects the site to a new show. Returns the ids of its episodes: `e1`, `e2`, … */
async function connect(episodes: number, show: object = {}) {
  users += 1;
  const email = `ana${users}@example.com`;
  const made = await site.connect(
    {
      users: [{ ref: 'ana', email, password: 'correct horse battery', plan: 'enterprise' }],
      podcasts: [
        {
          ref: 'show',
          owner: 'ana',
          slug: `show-${users}`,
          title: 'Night Signals',
          ...show,
          episodes: Array.from({ length: episodes }, (_, index) => ({
            ref: `e${index + 1}`,
            slug: `episode-${index + 1}`,
            title: `Episode ${String(index + 1).padStart(3, '0')}`,
            subtitle: `Subtitle ${index + 1}`,
            show_notes_html: `<p>Notes ${index + 1}</p>`,
            status: 'published',
            published_at: `-${index + 1}d`,
          })),
        },
      ],
    },
    { user: 'ana', podcasts: ['show'] },
  );
  const ids = Object.values(made.podcasts.show.episodes as Record<string, { id: string }>).map(
    ({ id }) => id,
  );
  return { email, slug: made.podcasts.show.slug as string, ids, first: ids[0] as string };
}

describe('a new connection', () => {
  it('posts the whole catalogue, each episode once, in several runs at the same time', async () => {
    // The feed has 50 changes in a page.
    const { ids } = await connect(120, { artwork });
    await Promise.all([site.sync(), site.sync()]);
    const posts = await site.listPosts();
    expect(posts).toHaveLength(120);
    expect(new Set(posts.map(({ episodeId }) => episodeId))).toEqual(new Set(ids));
    expect(new Set(posts.map(({ imageId }) => imageId)).size).toBe(1);
    expect(posts[6]).toMatchObject({
      type: 'podstead_episode',
      status: 'publish',
      title: 'Episode 007',
      slug: 'episode-7',
      excerpt: 'Subtitle 7',
      content:
        '<!-- wp:podstead/player /-->\n\n<!-- wp:html -->\n<p>Notes 7</p>\n<!-- /wp:html -->',
      imageId: expect.any(Number),
    });
    expect(posts[0]?.imageId).toBeGreaterThan(0);
    expect(await site.countStrays()).toBe(0);
    expect(await site.state()).toMatchObject({ cursor: 120, errors: [], failures: 0 });
  });

  it('a new connection goes on after kills, and posts no episode twice', async () => {
    const { ids } = await connect(40);
    // The run that WP-Cron has begun stops, and no other begins.
    await wordpress.php('( new Podstead_Lock() )->steal();');
    // What a killed run leaves ends by itself after two minutes.
    const passTime = `$wpdb->query( "UPDATE $wpdb->options
      SET option_value = '1|x' WHERE option_name = 'podstead_lock'" );`;
    // A post takes some 40 statements: each run gets further than the one before.
    for (const statements of [61, 133, 257, 389]) {
      const run = wordpress.startPhp(`${passTime}
        $statements = 0;
        add_filter( 'query', function ( $sql ) use ( &$statements ) {
          if ( ++$statements === ${statements} ) { posix_kill( getmypid(), SIGKILL ); }
          return $sql;
        } );
        ( new Podstead_Sync( 100 ) )->run( true );`);
      expect(await run.ended).toMatchObject({ signal: 'SIGKILL' });
    }
    await wordpress.php(`${passTime} ( new Podstead_Sync( 100 ) )->run( true );`);
    await site.sync();
    const posts = await site.listPosts();
    expect(posts.map(({ episodeId }) => episodeId).sort()).toEqual([...ids].sort());
    expect(posts.every(({ status }) => status === 'publish')).toBe(true);
  });

  it('writes what the settings say', async () => {
    await site.choose({ post_type: 'post', new_status: 'draft' });
    const { first } = await connect(1);
    await site.sync();
    expect(await site.getPost(first)).toMatchObject({ type: 'post', status: 'draft' });
  });

  it('a new connection follows the dates of the show in any time zone', async () => {
    await wordpress.php(`update_option( 'timezone_string', 'America/New_York' );`);
    const { first } = await connect(1);
    await site.sync();
    const episode = await service.command('episode', 'show', first);
    const { date } = await site.getPost(first);
    expect(date).toBe(episode.published_at.slice(0, 19).replace('T', ' '));
  });
});

describe('an episode that changes', () => {
  it('changes its post', async () => {
    const { first } = await connect(2);
    await site.sync();
    const before = await site.getPost(first);
    await service.command('episode', 'set', first, 'title=Another title', 'subtitle=Another');
    expect(await site.sync()).toEqual({ error: null });
    expect(await site.getPost(first)).toEqual({
      ...before,
      title: 'Another title',
      excerpt: 'Another',
    });
  });

  it('leaves alone what was edited here, and changes the rest', async () => {
    const { first } = await connect(1);
    await site.sync();
    const { id } = await site.getPost(first);
    await site.edit(id, { post_title: 'Our title' });
    await service.command('episode', 'set', first, 'title=Their title', 'subtitle=Theirs');
    await site.sync();
    expect(await site.getPost(first)).toMatchObject({ id, title: 'Our title', excerpt: 'Theirs' });
    await service.command('episode', 'set', first, 'title=Their last title');
    await site.sync();
    expect(await site.getPost(first)).toMatchObject({ id, title: 'Our title' });
  });

  it('replaces what was edited here where the settings say so', async () => {
    await site.choose({ winner: 'show' });
    const { first } = await connect(1);
    await site.sync();
    const { id } = await site.getPost(first);
    await site.edit(id, { post_title: 'Our title' });
    await service.command('episode', 'set', first, 'subtitle=Theirs');
    await site.sync();
    expect(await site.getPost(first)).toMatchObject({ id, title: 'Episode 001' });
  });

  it('updates a post in the trash and leaves it there', async () => {
    const { first } = await connect(1);
    await site.sync();
    const { id } = await site.getPost(first);
    await wordpress.php(`wp_trash_post( ${id} );`);
    await service.command('episode', 'set', first, 'title=Another title');
    await site.sync();
    expect(await site.getPost(first)).toMatchObject({
      id,
      status: 'trash',
      title: 'Another title',
    });
    await wordpress.php(`wp_untrash_post( ${id} );`);
    expect(await site.getPost(first)).toMatchObject({ id, status: 'draft', slug: 'episode-1' });
  });

  it('an episode that changes does not bring back a post that was deleted here', async () => {
    const { first } = await connect(1);
    await site.sync();
    const { id } = await site.getPost(first);
    await wordpress.php(`wp_delete_post( ${id}, true );`);
    await service.command('episode', 'set', first, 'title=Another title');
    expect(await site.sync()).toEqual({ error: null });
    expect(await site.listPosts()).toEqual([]);
  });
});

describe('an episode that is unpublished', () => {
  it.each([
    ['trash', 'trash'],
    ['draft', 'draft'],
    ['keep', 'publish'],
  ])(
    'an episode that is unpublished is treated as the setting %s says, and comes back to its own post',
    async (withdrawn, status) => {
      await site.choose({ withdrawn });
      const { first } = await connect(2);
      await site.sync();
      const before = await site.getPost(first);
      await service.command('episode', 'unpublish', first);
      await site.sync();
      expect(await site.getPost(first)).toMatchObject({ id: before.id, status });
      await service.command('episode', 'publish', first);
      await site.sync();
      expect({ ...(await site.getPost(first)), date: '' }).toEqual({ ...before, date: '' });
      expect(await site.listPosts()).toHaveLength(2);
    },
  );

  it('an episode that is unpublished stays in the trash if somebody had put it there', async () => {
    const { first } = await connect(1);
    await site.sync();
    const { id } = await site.getPost(first);
    await wordpress.php(`wp_trash_post( ${id} );`);
    await service.command('episode', 'unpublish', first);
    await site.sync();
    await service.command('episode', 'publish', first);
    await site.sync();
    expect(await site.getPost(first)).toMatchObject({ id, status: 'trash' });
  });

  it('an episode that is unpublished goes to the trash when it is deleted', async () => {
    const { first } = await connect(2);
    await site.sync();
    await service.command('episode', 'delete', first);
    await site.sync();
    expect(await site.getPost(first)).toMatchObject({ status: 'trash' });
  });
});

describe('the sync', () => {
  it('the sync waits while the service is away, and goes on', async () => {
    const { first } = await connect(1);
    await site.sync();
    await service.command('episode', 'set', first, 'title=Another title');
    await service.kill();
    expect(await site.sync()).toEqual({ error: expect.any(String) });
    const state = await site.state();
    expect(state).toMatchObject({ failures: expect.any(Number), ended: false });
    expect(state.retry_at).toBeGreaterThan(Date.now() / 1000 + 30);
    await service.start();
    expect(await site.sync()).toEqual({ error: null });
    expect(await site.state()).toMatchObject({ failures: 0, retry_at: 0 });
    expect(await site.getPost(first)).toMatchObject({ title: 'Another title' });
  });

  it('catches up after the site was down', async () => {
    const { email, ids } = await connect(4);
    await site.sync();
    const before = await site.listPosts();
    const [edited = '', unpublished = '', deleted = ''] = ids;
    await wordpress.goDown();
    await service.command('episode', 'set', edited, 'title=Another title');
    await service.command('episode', 'unpublish', unpublished);
    await service.command('episode', 'delete', deleted, '--yes');
    const failedPings = async () =>
      (await service.command('site', 'list', '--user', email)).sites[0].pings?.failures;
    await expect.poll(failedPings, soon).toBeGreaterThan(0);
    await wordpress.comeBack();
    expect(await site.sync()).toEqual({ error: null });
    const after = await site.listPosts();
    expect(after.map(({ id }) => id).sort()).toEqual(before.map(({ id }) => id).sort());
    expect(await site.getPost(edited)).toMatchObject({ title: 'Another title', status: 'publish' });
    for (const gone of [unpublished, deleted]) {
      expect(await site.getPost(gone)).toMatchObject({ status: 'trash' });
    }
  });

  it('reports many posts in few requests', async () => {
    await connect(60);
    await site.sync();
    const paths = await wordpress.read<string[]>(`
      $paths = array();
      $wpdb->query( 'UPDATE ' . Podstead_Episodes::table() . ' SET report_due = 1, reported = NULL' );
      add_filter( 'pre_http_request', function ( $response, $arguments, $url ) use ( &$paths ) {
        if ( 'POST' === $arguments['method'] && preg_match( '#/posts?$#', $url ) ) {
          $paths[] = basename( $url );
        }
        return $response;
      }, 10, 3 );
      while ( ( new Podstead_Sync( 20 ) )->run( true ) ) { continue; }
      echo json_encode( $paths );`);
    expect(paths).toEqual(['posts', 'posts', 'posts']);
    expect(await site.countDueReports()).toBe(0);
  });

  it('reads changes while the service limits its reports, and sends these later', async () => {
    const { first } = await connect(2);
    await site.sync();
    const run = await wordpress.read<{ error: string | null; due: number }>(`
      $wpdb->query( 'UPDATE ' . Podstead_Episodes::table() . ' SET report_due = 1, reported = NULL' );
      add_filter( 'pre_http_request', function ( $response, $arguments, $url ) {
        return str_ends_with( $url, '/posts' )
          ? array( 'headers' => array( 'retry-after' => '60' ), 'body' => '{}', 'cookies' => array(),
              'response' => array( 'code' => 429, 'message' => 'Too Many Requests' ) )
          : $response;
      }, 10, 3 );
      $sync = new Podstead_Sync( 20 );
      $sync->run( true );
      echo json_encode( array(
        'error' => null === $sync->error ? null : $sync->error->get_error_message(),
        'due'   => count( Podstead_Episodes::list_for_report( 10 ) ),
      ) );`);
    expect(run).toEqual({ error: null, due: 2 });
    await service.command('episode', 'set', first, 'title=Another title');
    expect(await site.sync()).toEqual({ error: null });
    expect(await site.getPost(first)).toMatchObject({ title: 'Another title' });
    expect(await site.countDueReports()).toBe(0);
  });

  it('reads what a ping announces while it ends', async () => {
    const held = service.hold('/health');
    const { first } = await connect(1);
    const run = wordpress.startPhp('Podstead_Schedule::run();');
    const report = await held;
    await service.command('episode', 'set', first, 'title=Another title');
    const pinged = `echo json_encode( Podstead_Sync_Request::is_made() );`;
    await expect.poll(() => wordpress.read(pinged), soon).toBe(true);
    report.release();
    await run.ended;
    const readTitle = async () => {
      // As a visitor does: WordPress starts no tasks for a minute after it has lost some.
      await wordpress.php('spawn_cron();');
      return (await site.getPost(first)).title;
    };
    await expect.poll(readTitle, soon).toBe('Another title');
  });

  it('the sync does nothing if the connection ends while it waits for the lock', async () => {
    await connect(1);
    await site.sync();
    await wordpress.php(`add_filter( 'query', function ( $sql ) {
        static $is_ended = false;
        if ( ! $is_ended && str_contains( $sql, 'podstead_lock' ) ) {
          $is_ended = true;
          Podstead_Connection::end();
        }
        return $sql;
      } );
      ( new Podstead_Sync( 20 ) )->run( true );`);
    expect(await site.state()).toMatchObject({ ended: false, errors: [] });
  });

  it('the sync waits while the plan has lapsed, and goes on', async () => {
    const { email, first } = await connect(1);
    await site.sync();
    await service.command('plan', 'set', email, 'enterprise', '--state', 'lapsed');
    await service.command('episode', 'set', first, 'title=Another title');
    expect(await site.sync()).toEqual({ error: expect.any(String) });
    expect(await site.state()).toMatchObject({ waiting_for_plan: true, errors: [] });
    expect(await site.getPost(first)).toMatchObject({ status: 'publish', title: 'Episode 001' });
    await service.command('plan', 'set', email, 'enterprise', '--state', 'active');
    expect(await site.sync()).toEqual({ error: null });
    expect(await site.state()).toMatchObject({ waiting_for_plan: false });
    expect(await site.getPost(first)).toMatchObject({ title: 'Another title' });
  });

  it.each([
    ['no positions', [{ type: 'tombstone' }]],
    ['positions of another type', [{ type: 'tombstone', seq: '2' }]],
    ['old positions', [{ type: 'tombstone', seq: 1 }]],
    ['a position twice', Array.from({ length: 2 }, () => ({ type: 'tombstone', seq: 2 }))],
    ['no changes', 'two'],
  ])('tries again later after a page with %s, and goes on', async (_, data) => {
    const { first } = await connect(1);
    await site.sync();
    const run = await wordpress.read(`
      $requests = 0;
      add_filter( 'pre_http_request', function ( $response, $arguments, $url ) use ( &$requests ) {
        $requests += str_contains( $url, '/changes?' );
        return array( 'headers' => array(), 'body' => '${JSON.stringify({ data })}',
          'response' => array( 'code' => 200, 'message' => 'OK' ), 'cookies' => array() );
      }, 10, 3 );
      // A run that a ping has started may hold the lock for a moment.
      for ( $tries = 0; 0 === $requests && $tries < 100; $tries++ ) {
        $sync = new Podstead_Sync( 3 );
        $more = $sync->run();
        usleep( 100000 );
      }
      echo json_encode( array( 'more' => $more, 'requests' => $requests ) );`);
    expect(run).toEqual({ more: false, requests: 1 });
    const { retry_at, ...state } = await site.state();
    expect(retry_at).toBeGreaterThan(Date.now() / 1000 + 30);
    const message = expect.stringContaining('position');
    expect(state).toMatchObject({ cursor: 1, failures: 1, errors: [{ message }] });
    await service.command('episode', 'set', first, 'title=Another title');
    expect(await site.sync()).toEqual({ error: null });
    expect(await site.getPost(first)).toMatchObject({ title: 'Another title' });
  });

  it('asks with the ETag while nothing changes', async () => {
    await connect(1);
    await site.sync();
    await site.sync();
    const reads = service.takeRequests().filter((line) => line.includes('/changes?'));
    expect(reads.at(-1)).toMatch(/\?after=1&limit=50 304$/);
  });

  it('the sync starts again where the service does not know the position, and changes nothing', async () => {
    await connect(2);
    await site.sync();
    const before = await site.listPosts();
    await wordpress.php(
      `Podstead_Connection::change_state( array( 'cursor' => 99, 'etag' => '' ) );`,
    );
    expect(await site.sync()).toEqual({ error: null });
    expect(await site.state()).toMatchObject({ cursor: 2 });
    expect(await site.listPosts()).toEqual(before);
  });
});

describe('a site with a persistent object cache', () => {
  let cache: string;
  beforeAll(async () => {
    cache = join(await wordpress.read('echo json_encode( WP_CONTENT_DIR );'), 'object-cache.php');
    copyFileSync(fileURLToPath(new URL('object-cache.php', import.meta.url)), cache);
  });
  afterAll(() => rmSync(cache));

  it('posts the catalogue once, and follows changes', async () => {
    expect(await wordpress.read('echo json_encode( wp_using_ext_object_cache() );')).toBe(true);
    const { ids, first } = await connect(30);
    await Promise.all([site.sync(), site.sync()]);
    expect((await site.listPosts()).map(({ episodeId }) => episodeId).toSorted()).toEqual(
      ids.toSorted(),
    );
    for (const title of ['Another title', 'A third title']) {
      await service.command('episode', 'set', first, `title=${title}`);
      await expect.poll(async () => (await site.getPost(first)).title, soon).toBe(title);
    }
    expect(await site.state()).toMatchObject({ errors: [] });
  });
});
