<?php
/**
 * One change of the feed.
 *
 * @package Podstead
 */

/**
 * A change whose form has been checked. Texts of episodes are not safe for pages yet.
 */
class Podstead_Change {

	/**
	 * UUID.
	 *
	 * @var string
	 */
	public $episode_id;

	/**
	 * UUID.
	 *
	 * @var string
	 */
	public $podcast_id;

	/**
	 * Of the content; null for a tombstone.
	 *
	 * @var string|null
	 */
	public $content_hash = null;

	/**
	 * The episode; null for a tombstone.
	 *
	 * @var array<string, mixed>|null
	 */
	public $episode = null;

	/**
	 * Why the episode is gone: unpublished, deleted, show_removed; null for an upsert.
	 *
	 * @var string|null
	 */
	public $reason = null;

	/**
	 * Checks a change.
	 *
	 * @param array<string, mixed> $item As it came.
	 * @return Podstead_Change|WP_Error
	 */
	public static function parse( $item ) {
		$change = new self();
		$ids    = array( $item['episode_id'] ?? '', $item['podcast_id'] ?? '' );
		if ( ! wp_is_uuid( $ids[0] ) || ! wp_is_uuid( $ids[1] ) ) {
			return self::not_understood();
		}
		$change->episode_id = strtolower( $ids[0] );
		$change->podcast_id = strtolower( $ids[1] );
		if ( 'tombstone' === ( $item['type'] ?? '' ) ) {
			$reasons        = array( 'unpublished', 'deleted', 'show_removed' );
			$reason         = $item['reason'] ?? '';
			$change->reason = in_array( $reason, $reasons, true ) ? $reason : 'unpublished';
			return $change;
		}
		$hash     = $item['content_hash'] ?? null;
		$episode  = $item['episode'] ?? null;
		$is_whole = 'upsert' === ( $item['type'] ?? '' ) && is_array( $episode ) && is_string( $episode['title'] ?? null )
			&& is_string( $hash ) && 1 === preg_match( '/^[0-9A-Za-z:_-]{1,128}$/D', $hash )
			&& false !== strtotime( is_string( $episode['published_at'] ?? null ) ? $episode['published_at'] : '' );
		if ( ! $is_whole ) {
			return self::not_understood();
		}
		$change->content_hash = $hash;
		$change->episode      = $episode;
		return $change;
	}

	/**
	 * Whether there is nothing to do.
	 *
	 * @param object $row Of the table of episodes.
	 * @return bool
	 */
	public function is_reflected_by( $row ) {
		return ! $row->failed && $row->reason === $this->reason
			&& ( null !== $this->reason || $row->content_hash === $this->content_hash );
	}

	/**
	 * For messages.
	 *
	 * @return string
	 */
	public function title() {
		return null === $this->episode ? $this->episode_id : sanitize_text_field( $this->episode['title'] );
	}

	/**
	 * The error of a change that has another form. The service may be newer than the plugin.
	 *
	 * @return WP_Error
	 */
	private static function not_understood() {
		return new WP_Error( 'podstead_change', __( 'The plugin does not understand a change. Please update the plugin.', 'podstead' ) );
	}
}
