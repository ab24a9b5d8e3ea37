<?php
/**
 * Tells the service about posts.
 *
 * @package Podstead
 */

/**
 * Sends what became of each episode's post. What has been told already is not sent again.
 */
class Podstead_Reporter {

	const BATCH = 50;

	/**
	 * The client.
	 *
	 * @var Podstead_Api
	 */
	private $api;

	/**
	 * Path of the site's routes.
	 *
	 * @var string
	 */
	private $path;

	/**
	 * Makes a reporter.
	 *
	 * @param Podstead_Api $api  With the site's key.
	 * @param string       $path Of the site's routes.
	 */
	public function __construct( $api, $path ) {
		$this->api  = $api;
		$this->path = $path;
	}

	/**
	 * Sends reports until there are none left or the time is up.
	 *
	 * @param float $deadline Unix seconds.
	 * @return bool|WP_Error True if none is left.
	 */
	public function send( $deadline ) {
		do {
			$rows = Podstead_Episodes::list_for_report( self::BATCH );
			foreach ( $rows as $row ) {
				if ( microtime( true ) >= $deadline ) {
					return false;
				}
				$error = $this->report( $row );
				if ( is_wp_error( $error ) ) {
					return $error;
				}
			}
		} while ( array() !== $rows );
		return true;
	}

	/**
	 * Reports one post.
	 *
	 * @param object $row Of the table of episodes.
	 * @return true|WP_Error
	 */
	private function report( $row ) {
		$body = self::describe( $row );
		$hash = null === $body ? null : hash( 'sha256', wp_json_encode( $body ) );
		if ( null !== $body && $hash !== $row->reported ) {
			$answer = $this->api->post( "{$this->path}/episodes/{$row->episode_id}/post", $body );
			// The service does not know the episode, or not in this form: repeating it would not help.
			$is_final = is_wp_error( $answer ) && in_array( $answer->get_error_data()['status'], array( 400, 404 ), true );
			if ( is_wp_error( $answer ) && ! $is_final ) {
				return $answer;
			}
		}
		Podstead_Episodes::save(
			$row->episode_id,
			array(
				'report_due' => 0,
				'reported'   => $hash,
			)
		);
		return true;
	}

	/**
	 * What the service should know of a post.
	 *
	 * @param object $row Of the table of episodes.
	 * @return array<string, mixed>|null Null if there never was one.
	 */
	private static function describe( $row ) {
		if ( null === $row->post_id ) {
			return null;
		}
		$post  = get_post( $row->post_id );
		$state = 'trashed';
		$url   = add_query_arg( 'p', $row->post_id, Podstead_Addresses::home() );
		if ( null !== $post ) {
			$states = array(
				'publish'    => 'published',
				'private'    => 'published',
				'future'     => 'scheduled',
				'trash'      => 'trashed',
				'auto-draft' => 'queued',
			);
			$state  = $states[ $post->post_status ] ?? 'draft';
			$url    = Podstead_Addresses::of_post( $post );
		}
		$body = array(
			'post_url'   => $url,
			'state'      => $state,
			'wp_post_id' => $row->post_id,
		);
		return null === $row->reason && null !== $row->content_hash ? $body + array( 'content_hash' => $row->content_hash ) : $body;
	}
}
