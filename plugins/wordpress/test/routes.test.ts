import { createHash } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { askSite, signPing } from './ask-site.ts';
import { resetSite } from './connected-site.ts';
import { openSharedWordPress } from './share-wordpress.ts';
import type { WordPress } from './start-wordpress.ts';

let site: WordPress;

beforeAll(async () => {
  site = openSharedWordPress();
  await resetSite(site);
});
afterAll(async () => expect(await site.takeComplaints()).toEqual([]));

const siteId = '0197a3c4-d7a9-7c82-ad93-2e4f6a8b0cb3';
const body = JSON.stringify({ site_id: siteId, seq: 7 });
const now = () => Math.floor(Date.now() / 1000);

describe('the ping', () => {
  let secret: string;
  // The connection's service refuses connections: a sync that was tried leaves a failure.
  beforeEach(async () => {
    secret = `secret-${process.hrtime.bigint()}`;
    await site.php(`Podstead_Connection::save( array( 'service' => 'https://nobody.test',
      'site_id' => '${siteId}', 'api_key' => 'key', 'ping_secret' => '${secret}', 'expires_at' => 0,
      'shows' => array(), 'verified' => true, 'user_id' => 1 ) );`);
  });
  const failures = () =>
    site.read<number>(`echo json_encode( Podstead_Connection::state()['failures'] );`);

  it('the ping is accepted once, and has the feed read', async () => {
    const headers = signPing(secret, body);
    expect((await askSite(site, 'ping', { body, headers })).status).toBe(202);
    await expect.poll(failures, { interval: 200 }).toBeGreaterThan(0);
    expect((await askSite(site, 'ping', { body, headers })).status).toBe(401);
  });

  it('the ping is accepted once when it comes many times at once', async () => {
    const headers = signPing(secret, body);
    const responses = await Promise.all(
      Array.from({ length: 6 }, () => askSite(site, 'ping', { body, headers })),
    );
    expect(responses.map(({ status }) => status).sort()).toEqual([202, 401, 401, 401, 401, 401]);
  });

  it.each([
    ['no signature', () => ({})],
    ['another secret', () => signPing('another secret', body)],
    ['another body', () => signPing(secret, `${body} `)],
    [
      'another time',
      () => {
        const signed = signPing(secret, body)['podstead-signature'];
        return { 'podstead-signature': signed.replace(/t=\d+/, `t=${now() + 1}`) };
      },
    ],
    ['an old time', () => signPing(secret, body, now() - 310)],
    ['a time to come', () => signPing(secret, body, now() + 310)],
    ['a signature in another form', () => ({ 'podstead-signature': 't=1,v1=' })],
  ])('the ping is refused with %s', async (_, headers) => {
    expect((await askSite(site, 'ping', { body, headers: headers() })).status).toBe(401);
  });

  it('the ping is refused when it is large', async () => {
    const large = JSON.stringify({ site_id: siteId, seq: 7, rest: 'x'.repeat(5000) });
    const response = await askSite(site, 'ping', { body: large, headers: signPing(secret, large) });
    expect(response.status).toBe(401);
  });

  it('the ping is refused by a site that is not connected', async () => {
    await site.php('Podstead_Connection::end();');
    expect((await askSite(site, 'ping', { body, headers: signPing('', body) })).status).toBe(401);
  });
});

it('checks that a service responds before the browser goes there', async () => {
  const refusal = (service: string) =>
    site.php(`echo Podstead_Connector::check_service( '${service}' )->get_error_message();`);
  expect(await refusal('https://blog.test')).toContain('does not respond like a Podstead service');
  expect(await refusal('https://nobody.test')).toContain('cannot be reached');
});

describe('the challenge', () => {
  const begin = () =>
    site.read<{ state: string; verifier: string }>(`
      Podstead_Connector::begin_approval( 'https://api.svc.test' );
      echo json_encode( get_option( 'podstead_pending' ) );`);

  it('responds with the state of the connection under way', async () => {
    const { state, verifier } = await begin();
    const { status, body } = await askSite(site, `challenge?state=${state}`);
    const challenge = createHash('sha256').update(verifier).digest('base64url');
    expect({ status, body }).toEqual({ status: 200, body: { code_challenge: challenge } });
  });

  it('responds with no other state', async () => {
    const { state } = await begin();
    await begin();
    expect((await askSite(site, `challenge?state=${state}`)).status).toBe(404);
    expect((await askSite(site, 'challenge?state=short')).status).toBe(400);
    expect((await askSite(site, 'challenge')).status).toBe(400);
  });

  it('responds for ten minutes', async () => {
    const { state } = await begin();
    await site.php(`$pending = get_option( 'podstead_pending' );
      $pending['at'] -= 601; update_option( 'podstead_pending', $pending, false );`);
    expect((await askSite(site, `challenge?state=${state}`)).status).toBe(404);
  });
});

describe('addresses', () => {
  const call = (name: string, calls: readonly (readonly string[])[]) =>
    site.read<(string | null)[]>(`$results = array();
      foreach ( json_decode( '${JSON.stringify(calls)}' ) as $call ) {
        $result    = Podstead_Addresses::${name}( ...$call );
        $results[] = is_wp_error( $result ) ? null : $result;
      }
      echo json_encode( $results );`);

  it('addresses of the REST API have a form that the service knows', async () => {
    const home = 'https://blog.test/';
    const below = 'https://blog.test/a/';
    expect(
      await call('rest_root', [
        [home, `${home}wp-json/`],
        [home, `${home}index.php/wp-json/`],
        [home, `${home}index.php?rest_route=/`],
        [below, `${below}api/`],
      ]),
    ).toEqual([
      `${home}wp-json/`,
      `${home}index.php?rest_route=/`,
      `${home}index.php?rest_route=/`,
      `${below}index.php?rest_route=/`,
    ]);
  });

  it('addresses of the REST API exist in all permalink structures', async () => {
    for (const structure of ['/index.php/%postname%/', '', '/%postname%/']) {
      await site.php(
        `update_option( 'permalink_structure', '${structure}' ); flush_rewrite_rules();`,
      );
      const status = await site.read<number>(`
        $root = Podstead_Addresses::rest_root( Podstead_Addresses::home(), rest_url() );
        $url = $root . 'podstead/v1/challenge' . ( strpos( $root, '?' ) ? '&' : '?' );
        $response = wp_safe_remote_get( $url . 'state=' . str_repeat( 'a', 43 ) );
        echo json_encode( wp_remote_retrieve_response_code( $response ) );`);
      expect([structure, status]).toEqual([structure, 404]);
    }
  });

  it('addresses of services need https and nothing else', async () => {
    const good = [[' https://podcasts.example.com/base/ '], ['https://podcasts.example.com']];
    const bad = [
      'http://podcasts.example.com',
      'http://127.0.0.1:3000',
      'https://user:secret@podcasts.example.com',
      'https://podcasts.example.com/?a=b',
      'https://podcasts.example.com/#a',
      'ftp://podcasts.example.com',
      'podcasts.example.com',
      '',
    ].map((address) => [address]);
    expect(await call('parse_service', [...good, ...bad])).toEqual([
      'https://podcasts.example.com/base',
      'https://podcasts.example.com',
      ...bad.map(() => null),
    ]);
  });
});

describe('what a show writes', () => {
  const hostile = {
    slug: '../../etc',
    title: '<script>alert(1)</script> [gallery] & more',
    subtitle: null,
    description: 'A <b>text</b> [caption]',
    show_notes_html: [
      '<p onclick="x()">Notes</p><script>alert(1)</script><iframe src="https://evil.test"></iframe>',
      '<a href="javascript:alert(1)">link</a> [gallery ids="1"]',
      '<!-- wp:rss {"feedURL":"http://127.0.0.1/"} /--><!<!-- -- wp:shortcode -->',
    ].join(''),
    published_at: '2026-01-02T03:04:05.678Z',
    links: { embed: 'javascript:alert(1)', listen: 'https://podcasts.example.com/listen/a/b' },
    artwork: { url: 'data:image/png;base64,AAAA' },
  };
  const make = (method: string) =>
    site.read<Record<string, string>>(`echo json_encode( Podstead_Post_Fields::${method}(
      json_decode( base64_decode( '${Buffer.from(JSON.stringify(hostile)).toString('base64')}' ), true ) ) );`);

  it('a post of a show contains no script, block or shortcode', async () => {
    const fields = await make('of');
    const all = JSON.stringify(fields);
    for (const part of ['<script', '<iframe', 'onclick', 'javascript:', '[gallery', '[caption']) {
      expect(all).not.toContain(part);
    }
    expect(fields['post_content']?.match(/<!--.*?-->/g)).toEqual([
      '<!-- wp:podstead/player /-->',
      '<!-- wp:html -->',
      '<!-- /wp:html -->',
    ]);
    expect(fields).toMatchObject({
      post_title: '&lt;script&gt;alert(1)&lt;/script&gt; &#91;gallery&#93; &amp; more',
      post_name: 'etc',
      post_date_gmt: '2026-01-02 03:04:05',
    });
  });

  it('a post of a show contains no address but one of the web', async () => {
    expect(await make('meta')).toMatchObject({ embed: '', listen: hostile.links.listen });
    expect(await make('artwork')).toBe('');
  });
});

describe('a plugin that is deleted', () => {
  it.each([false, true])('leaves nothing but its posts; no posts: %s', async (deletesPosts) => {
    const post = await site.php(`
      update_option( 'podstead_settings', array( 'delete_posts' => ${deletesPosts} ) );
      Podstead_Connection::change_state( array( 'cursor' => 1 ) );
      Podstead_Schedule::run_later( 600 );
      $id = wp_insert_post( array( 'post_title' => 'An episode', 'post_status' => 'publish',
        'meta_input' => array( '_podstead_episode_id' => '${siteId}' ) ) );
      Podstead_Episodes::adopt_posts();
      wp_insert_attachment( array( 'post_title' => 'Podcast artwork', 'post_mime_type' => 'image/png',
        'meta_input' => array( Podstead_Artwork::META => 'hash' ) ), 'artwork.png', $id );
      echo $id;`);
    const countImages = () =>
      site.read<number>(`echo json_encode( (int) $wpdb->get_var(
        "SELECT COUNT(*) FROM $wpdb->posts WHERE post_title = 'Podcast artwork'" ) );`);
    const images = await countImages();
    await site.php(`define( 'WP_UNINSTALL_PLUGIN', 'podstead/podstead.php' );
      require WP_PLUGIN_DIR . '/podstead/uninstall.php';`);
    const left = await site.read(`
      echo json_encode( array(
        'options' => $wpdb->get_col( "SELECT option_name FROM $wpdb->options
          WHERE option_name LIKE '%podstead%' AND option_name <> 'podstead_db_version'
          AND option_name <> 'podstead_flush_rules'" ),
        'meta' => (int) $wpdb->get_var( "SELECT COUNT(*) FROM $wpdb->postmeta WHERE meta_key LIKE '\\\\_podstead%'" ),
        'rows' => (int) $wpdb->get_var( 'SELECT COUNT(*) FROM ' . Podstead_Episodes::table() ),
        'events' => count( array_filter( array_keys( array_merge( ...array_values( array_filter( _get_cron_array(), 'is_array' ) ) ) ), fn( $n ) => str_contains( $n, 'podstead' ) ) ),
        'post' => get_post( ${post} ) !== null ) );`);
    expect(left).toEqual({ options: [], meta: 0, rows: 0, events: 0, post: !deletesPosts });
    expect(await countImages()).toBe(deletesPosts ? images - 1 : images);
  });
});

describe('the settings page', () => {
  const problem = (syncedAt: number, status: number) =>
    site.read<string>(`
      add_filter( 'pre_http_request', fn() => array( 'headers' => array(), 'body' => '', 'cookies' => array(),
        'response' => array( 'code' => ${status}, 'message' => '' ) ) );
      echo json_encode( Podstead_Schedule::find_problem( ${syncedAt} ) );`);

  it('the settings page says that the site refuses its own scheduled tasks, if it does', async () => {
    expect(await problem(0, 401)).toContain('with status 401');
    expect(await problem(0, 403)).toContain('with status 403');
    expect(await problem(0, 200)).toBe('');
    expect(await problem(now(), 401)).toBe('');
  });

  it('the settings page says that a task is five minutes late', async () => {
    await site.php(`wp_clear_scheduled_hook( Podstead_Schedule::SOON );
      wp_schedule_single_event( time() - 400, Podstead_Schedule::SOON );`);
    expect(await problem(now() - 3600, 200)).toContain('have not run for five minutes');
    await site.php('Podstead_Schedule::clear();');
    expect(await problem(now() - 3600, 200)).toBe('');
  });
});

describe('a site of a network', () => {
  it('a site of a network takes the table of episodes with it', async () => {
    const tables = await site.read<string[]>(
      "echo json_encode( apply_filters( 'wpmu_drop_tables', array( 'x' ), 1 ) );",
    );
    expect(tables).toEqual(['x', expect.stringContaining('podstead_episodes')]);
  });
});
