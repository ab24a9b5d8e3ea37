<?php
/**
 * Notices what people do with the posts.
 *
 * @package Podstead
 */

/**
 * Has every change of an episode's post reported soon.
 */
class Podstead_Post_Watcher {

	const DELAY_SECONDS = 30;

	/**
	 * Adds the hooks.
	 */
	public static function start() {
		add_action( 'post_updated', array( __CLASS__, 'note' ) );
		add_action( 'trashed_post', array( __CLASS__, 'note' ) );
		add_action( 'untrashed_post', array( __CLASS__, 'note' ) );
		add_action( 'deleted_post', array( __CLASS__, 'note' ) );
		add_action( 'transition_post_status', array( __CLASS__, 'note_status' ), 10, 3 );
	}

	/**
	 * Notes a change. What the sync itself writes is noted there.
	 *
	 * @param int $post_id The post.
	 */
	public static function note( $post_id ) {
		if ( ! Podstead_Sync::$is_running && Podstead_Connection::is_usable() && Podstead_Episodes::mark_for_report( $post_id ) ) {
			Podstead_Schedule::run_later( self::DELAY_SECONDS );
		}
	}

	/**
	 * Notes a new status, as when WordPress publishes a scheduled post.
	 *
	 * @param string  $new_status New status.
	 * @param string  $old_status Old status.
	 * @param WP_Post $post       The post.
	 */
	public static function note_status( $new_status, $old_status, $post ) {
		if ( $new_status !== $old_status ) {
			self::note( $post->ID );
		}
	}
}
