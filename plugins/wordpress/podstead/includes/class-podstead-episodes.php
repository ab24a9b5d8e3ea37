<?php
/**
 * Which post shows which episode.
 *
 * @package Podstead
 */

/**
 * The table `podstead_episodes`. The episode's id is its primary key, and the post's id is unique:
 * the database itself allows one post for an episode.
 */
class Podstead_Episodes {

	/**
	 * Post meta that names a post's episode: for other plugins, and for posts that are exported and
	 * imported.
	 */
	const META = '_podstead_episode_id';

	/**
	 * The table's name.
	 *
	 * @return string
	 */
	public static function table() {
		global $wpdb;
		return $wpdb->prefix . 'podstead_episodes';
	}

	/**
	 * Creates the table or brings it up to date.
	 */
	public static function create_table() {
		global $wpdb;
		require_once ABSPATH . 'wp-admin/includes/upgrade.php';
		// content_hash: the change that the post reflects. written: hashes of the fields as the plugin
		// stored them. reason: why the episode is not at the service any more. withdrawn_status: the
		// post's status before the plugin withdrew it. reported: hash of the last report.
		dbDelta(
			'CREATE TABLE ' . self::table() . " (
			episode_id char(36) NOT NULL,
			podcast_id char(36) NOT NULL DEFAULT '',
			post_id bigint(20) unsigned DEFAULT NULL,
			content_hash varchar(128) DEFAULT NULL,
			written text DEFAULT NULL,
			reason varchar(20) DEFAULT NULL,
			withdrawn_status varchar(20) DEFAULT NULL,
			attempts smallint(5) unsigned NOT NULL DEFAULT 0,
			failed tinyint(1) NOT NULL DEFAULT 0,
			report_due tinyint(1) NOT NULL DEFAULT 0,
			reported varchar(64) DEFAULT NULL,
			PRIMARY KEY  (episode_id),
			UNIQUE KEY post_id (post_id),
			KEY report_due (report_due)
			) " . $wpdb->get_charset_collate()
		);
	}

	/**
	 * Notes the posts that say which episode they show, as after an import of posts. The oldest post
	 * of an episode is taken.
	 */
	public static function adopt_posts() {
		global $wpdb;
		// phpcs:disable WordPress.DB -- Own table; its name comes from the prefix.
		$wpdb->query(
			$wpdb->prepare(
				'INSERT IGNORE INTO ' . self::table() . " (episode_id, post_id, written)
				SELECT LOWER(m.meta_value), MIN(m.post_id), '{\"adopted\":1}' FROM {$wpdb->postmeta} m
				JOIN {$wpdb->posts} p ON p.ID = m.post_id AND p.post_type <> 'revision'
				WHERE m.meta_key = %s AND CHAR_LENGTH(m.meta_value) = 36 GROUP BY LOWER(m.meta_value)",
				self::META
			)
		);
		// phpcs:enable
	}

	/**
	 * The row of an episode, made if there is none. Counts an attempt; save() sets it back to 0.
	 *
	 * @param string $episode_id UUID.
	 * @param string $podcast_id UUID.
	 * @return object
	 */
	public static function begin( $episode_id, $podcast_id ) {
		global $wpdb;
		// phpcs:ignore WordPress.DB -- Own table; its name comes from the prefix.
		$wpdb->query( $wpdb->prepare( 'INSERT INTO ' . self::table() . ' (episode_id, podcast_id, attempts) VALUES (%s, %s, 1) ON DUPLICATE KEY UPDATE podcast_id = VALUES(podcast_id), attempts = LEAST(attempts + 1, 1000)', $episode_id, $podcast_id ) );
		return self::find( $episode_id );
	}

	/**
	 * The row of an episode.
	 *
	 * @param string $episode_id UUID.
	 * @return object|null
	 */
	public static function find( $episode_id ) {
		return self::row( 'episode_id = %s', $episode_id );
	}

	/**
	 * The row of a post.
	 *
	 * @param int $post_id Id of a post.
	 * @return object|null
	 */
	public static function find_by_post( $post_id ) {
		return self::row( 'post_id = %d', $post_id );
	}

	/**
	 * Makes a post the episode's own, unless it has one already.
	 *
	 * @param string   $episode_id UUID.
	 * @param int      $post_id    The new post.
	 * @param int|null $instead_of The post that the row was seen to name.
	 * @return bool False if another run was faster.
	 */
	public static function claim( $episode_id, $post_id, $instead_of ) {
		global $wpdb;
		// phpcs:ignore WordPress.DB -- Own table; its name comes from the prefix.
		return 1 === $wpdb->query( $wpdb->prepare( 'UPDATE ' . self::table() . ' SET post_id = %d WHERE episode_id = %s AND COALESCE(post_id, 0) = %d', $post_id, $episode_id, (int) $instead_of ) );
	}

	/**
	 * Changes some columns of an episode's row.
	 *
	 * @param string               $episode_id UUID.
	 * @param array<string, mixed> $columns    New values.
	 */
	public static function save( $episode_id, array $columns ) {
		global $wpdb;
		// phpcs:ignore WordPress.DB.DirectDatabaseQuery -- Own table.
		$wpdb->update( self::table(), $columns, array( 'episode_id' => $episode_id ) );
	}

	/**
	 * Notes that the service should hear of a post.
	 *
	 * @param int $post_id Id of a post.
	 * @return bool Whether the post shows an episode.
	 */
	public static function mark_for_report( $post_id ) {
		$row = self::find_by_post( $post_id );
		if ( null !== $row ) {
			self::save( $row->episode_id, array( 'report_due' => 1 ) );
		}
		return null !== $row;
	}

	/**
	 * Notes that the service should hear of every post: it may be another service.
	 */
	public static function report_all_again() {
		global $wpdb;
		// phpcs:ignore WordPress.DB -- Own table; its name comes from the prefix.
		$wpdb->query( 'UPDATE ' . self::table() . ' SET report_due = 1, reported = NULL WHERE content_hash IS NOT NULL' );
	}

	/**
	 * The next rows that the service should hear of.
	 *
	 * @param int $limit How many at most.
	 * @return object[]
	 */
	public static function list_for_report( $limit ) {
		global $wpdb;
		// phpcs:ignore WordPress.DB -- Own table; its name comes from the prefix.
		return array_map( array( __CLASS__, 'read' ), $wpdb->get_results( $wpdb->prepare( 'SELECT * FROM ' . self::table() . ' WHERE report_due = 1 ORDER BY episode_id LIMIT %d', $limit ) ) );
	}

	/**
	 * Allows new attempts for what could not be written.
	 *
	 * @return int How many episodes that are.
	 */
	public static function retry_failed() {
		global $wpdb;
		// phpcs:ignore WordPress.DB -- Own table; its name comes from the prefix.
		return (int) $wpdb->query( 'UPDATE ' . self::table() . ' SET attempts = 0 WHERE failed = 1' );
	}

	/**
	 * How many episodes have posts, and how many could not be written.
	 *
	 * @return array{posts: int, failed: int}
	 */
	public static function count() {
		global $wpdb;
		// phpcs:ignore WordPress.DB -- Own table; its name comes from the prefix.
		$row = $wpdb->get_row( 'SELECT COUNT(content_hash) AS posts, COALESCE(SUM(failed), 0) AS failed FROM ' . self::table() );
		return array(
			'posts'  => (int) $row->posts,
			'failed' => (int) $row->failed,
		);
	}

	/**
	 * One row.
	 *
	 * @param string     $condition With one placeholder.
	 * @param string|int $value     Its value.
	 * @return object|null
	 */
	private static function row( $condition, $value ) {
		global $wpdb;
		// phpcs:ignore WordPress.DB -- Own table; the conditions are those of this file.
		$row = $wpdb->get_row( $wpdb->prepare( 'SELECT * FROM ' . self::table() . ' WHERE ' . $condition, $value ) );
		return null === $row ? null : self::read( $row );
	}

	/**
	 * Gives columns their types.
	 *
	 * @param object $row As the database returns it.
	 * @return object
	 */
	private static function read( $row ) {
		$row->post_id    = null === $row->post_id ? null : (int) $row->post_id;
		$row->attempts   = (int) $row->attempts;
		$row->failed     = '1' === $row->failed;
		$row->report_due = '1' === $row->report_due;
		$written         = json_decode( (string) $row->written, true );
		$row->written    = is_array( $written ) ? $written : array();
		return $row;
	}
}
