import { setTimeout as wait } from 'node:timers/promises';
import type { Service } from './start-service.ts';
import type { WordPress } from './start-wordpress.ts';

/** A post of an episode, as WordPress stores it. */
export interface EpisodePost {
  readonly id: number;
  readonly episodeId: string;
  readonly type: string;
  readonly status: string;
  readonly title: string;
  readonly slug: string;
  readonly excerpt: string;
  readonly content: string;
  /** UTC. */
  readonly date: string;
  /** Of its featured image; 0: none. */
  readonly imageId: number;
}

interface Synced {
  /** Why the sync stopped early. */
  readonly error: string | null;
}

/** The plugin as if it had just been installed, on a site without posts. */
export async function resetSite(wordpress: WordPress): Promise<void> {
  // A run that a ping of the last test started would still write posts: it ends first.
  const takeLock = `delete_option( Podstead_Connection::OPTION );
    echo json_encode( ( new Podstead_Lock() )->acquire() );`;
  while (!(await wordpress.read<boolean>(takeLock))) await wait(50);
  // Without WordPress's own functions, which need a dozen statements for each post.
  await wordpress.php(`
    Podstead_Schedule::clear();
    update_option( 'timezone_string', '' );
    $wpdb->query( "DELETE FROM $wpdb->posts
      WHERE post_type IN ( 'podstead_episode', 'post', 'attachment', 'revision' )" );
    $wpdb->query( "DELETE FROM $wpdb->postmeta WHERE post_id NOT IN ( SELECT ID FROM $wpdb->posts )" );
    $wpdb->query( "DELETE FROM $wpdb->term_relationships WHERE object_id NOT IN ( SELECT ID FROM $wpdb->posts )" );
    $wpdb->query( 'DELETE FROM ' . Podstead_Episodes::table() );
    $wpdb->query( "DELETE FROM $wpdb->options WHERE option_name LIKE 'podstead\\\\_%' AND option_name <> 'podstead_db_version'" );
    wp_cache_flush();`);
}

/** How the plugin is, and what it wrote. */
export class ConnectedSite {
  readonly #wordpress: WordPress;
  readonly #service: Service;

  constructor(wordpress: WordPress, service: Service) {
    this.#wordpress = wordpress;
    this.#service = service;
  }

  /** The plugin as if it had just been installed, without posts. */
  reset(): Promise<void> {
    return resetSite(this.#wordpress);
  }

  /**
   * Approves a connection with the one-time code of a seed file, as the approval page makes it.
   * Returns what the file made.
   */
  async connect(
    file: object,
    site: { readonly user: string; readonly podcasts: readonly string[] },
  ) {
    const begun = await this.#wordpress.read<string>(`wp_set_current_user( 1 );
      echo json_encode( Podstead_Connector::begin_approval( '${this.#service.url}' ) );`);
    const query = new URL(begun).searchParams;
    const made = await this.#service.seed({
      ...file,
      sites: [
        {
          ref: 'site',
          flow: 'code',
          ...site,
          site_url: query.get('site_url'),
          rest_root: query.get('rest_root'),
          code_challenge: query.get('code_challenge'),
        },
      ],
    });
    await this.#wordpress.php(`wp_set_current_user( 1 );
      $done = Podstead_Connector::complete_approval( '${query.get('state')}', '${made.sites.site.code}' );
      if ( is_wp_error( $done ) ) { throw new Exception( $done->get_error_message() ); }`);
    return made;
  }

  /** Runs the sync until nobody has anything left to do, requests of WP-Cron included. */
  async sync(): Promise<Synced> {
    for (;;) {
      const { again, error } = await this.#wordpress.read<Synced & { again: boolean }>(`
        $is_locked = fn() => null !== $wpdb->get_var( "SELECT 1 FROM $wpdb->options WHERE option_name = 'podstead_lock'" );
        $sync = new Podstead_Sync( 20 );
        // A run that was quicker may have taken the request, and still be reading.
        $more = $is_locked() || $sync->run( true ) || Podstead_Sync_Request::is_made() || $is_locked();
        echo json_encode( array( 'again' => (bool) $more,
          'error' => $sync->error ? $sync->error->get_error_message() : null ) );`);
      if (!again) return { error };
      await wait(50);
    }
  }

  /** All posts of episodes in any state, by title. */
  listPosts(): Promise<readonly EpisodePost[]> {
    return this.#wordpress.read(`
      $posts = $wpdb->get_results( "SELECT p.*, m.meta_value AS episode_id FROM $wpdb->posts p
        JOIN $wpdb->postmeta m ON m.post_id = p.ID AND m.meta_key = '_podstead_episode_id'
        WHERE p.post_type <> 'revision' ORDER BY post_title" );
      echo json_encode( array_map( fn( $p ) => array( 'id' => (int) $p->ID,
        'episodeId' => $p->episode_id, 'type' => $p->post_type, 'status' => $p->post_status,
        'title' => $p->post_title, 'slug' => $p->post_name, 'excerpt' => $p->post_excerpt,
        'content' => $p->post_content, 'date' => $p->post_date_gmt,
        'imageId' => (int) get_post_thumbnail_id( $p->ID ) ), $posts ) );`);
  }

  async getPost(episodeId: string): Promise<EpisodePost> {
    const found = (await this.listPosts()).filter((post) => post.episodeId === episodeId);
    if (found[0] === undefined || found.length > 1) throw new Error(`${found.length} posts`);
    return found[0];
  }

  /** A column of the plugin's table. */
  read(episodeId: string, column: 'reason'): Promise<string | null> {
    return this.#wordpress.read(
      `echo json_encode( Podstead_Episodes::find( '${episodeId}' )->${column} );`,
    );
  }

  /** Posts that the plugin began and nobody knows. */
  countStrays(): Promise<number> {
    return this.#wordpress.read(`echo json_encode( (int) $wpdb->get_var(
      "SELECT COUNT(*) FROM $wpdb->posts WHERE post_status = 'auto-draft'" ) );`);
  }

  /** Posts whose state the service does not know yet, at most 100. */
  countDueReports(): Promise<number> {
    return this.#wordpress.read(
      'echo json_encode( count( Podstead_Episodes::list_for_report( 100 ) ) );',
    );
  }

  /** As somebody edits a post. */
  async edit(postId: number, fields: Readonly<Record<string, string>>): Promise<void> {
    await this.#wordpress.php(`wp_set_current_user( 1 );
      wp_update_post( array( 'ID' => ${postId} ) + json_decode( '${JSON.stringify(fields)}', true ) );`);
  }

  async choose(settings: Readonly<Record<string, string>>): Promise<void> {
    await this.#wordpress.php(
      `update_option( 'podstead_settings', json_decode( '${JSON.stringify(settings)}', true ) );`,
    );
  }

  /** How the sync stands. */
  // biome-ignore lint/suspicious/noExplicitAny: PHP's array, looked at by a test.
  state(): Promise<any> {
    return this.#wordpress.read('echo json_encode( Podstead_Connection::state() );');
  }
}
