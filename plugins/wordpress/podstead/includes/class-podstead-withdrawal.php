<?php
/**
 * Posts of episodes that are not public any more.
 *
 * @package Podstead
 */

/**
 * Moves a post to the trash, makes it a draft or keeps it.
 */
class Podstead_Withdrawal {

	/**
	 * Withdraws a post as the setting says.
	 *
	 * @param object  $row     The episode's row.
	 * @param WP_Post $post    The episode's post.
	 * @param bool    $is_ours Whether the post still follows its show.
	 */
	public static function withdraw( $row, $post, $is_ours ) {
		self::mark_unavailable( $post->ID );
		$how = Podstead_Settings::get( 'withdrawn' );
		// Without a trash, WordPress would delete the post.
		$how = 'trash' === $how && EMPTY_TRASH_DAYS <= 0 ? 'draft' : $how;
		if ( $is_ours && self::is_withdrawable( $post, $how ) ) {
			// Stored first: a run that is killed must not forget that it was us.
			Podstead_Episodes::save( $row->episode_id, array( 'withdrawn_status' => $row->withdrawn_status ?? $post->post_status ) );
			self::hide( $post, $how );
		}
	}

	/**
	 * Whether the setting says anything about a post with this status.
	 *
	 * @param WP_Post $post The episode's post.
	 * @param string  $how  The setting.
	 * @return bool
	 */
	private static function is_withdrawable( $post, $how ) {
		$statuses = array(
			'trash' => array( 'publish', 'future', 'private', 'draft', 'pending', 'auto-draft' ),
			'draft' => array( 'publish', 'future', 'private' ),
			'keep'  => array(),
		);
		return in_array( $post->post_status, $statuses[ $how ], true );
	}

	/**
	 * Trashes a post or makes it a draft.
	 *
	 * @param WP_Post $post The episode's post.
	 * @param string  $how  trash or draft.
	 */
	private static function hide( $post, $how ) {
		if ( 'trash' === $how ) {
			wp_trash_post( $post->ID );
			return;
		}
		wp_update_post(
			array(
				'ID'          => $post->ID,
				'post_status' => 'draft',
				'edit_date'   => true,
			)
		);
	}

	/**
	 * Notes that the player has nothing to play.
	 *
	 * @param int $post_id The post.
	 */
	private static function mark_unavailable( $post_id ) {
		$meta = get_post_meta( $post_id, Podstead_Player::META, true );
		update_post_meta( $post_id, Podstead_Player::META, wp_slash( array( 'available' => false ) + ( is_array( $meta ) ? $meta : array() ) ) );
	}
}
