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

	/**
	 * Posts in one request. The service takes bodies of up to 64 KiB, and the longest report has 2.5.
	 */
	const BATCH = 25;

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
			if ( microtime( true ) >= $deadline ) {
				return false;
			}
			$rows  = Podstead_Episodes::list_for_report( self::BATCH );
			$error = $this->report( $rows );
			if ( is_wp_error( $error ) ) {
				return $error;
			}
		} while ( array() !== $rows );
		return true;
	}

	/**
	 * Reports posts, in one request.
	 *
	 * @param object[] $rows Of the table of episodes.
	 * @return true|WP_Error
	 */
	private function report( array $rows ) {
		$hashes  = array();
		$reports = array();
		foreach ( $rows as $row ) {
			$report                     = self::describe( $row );
			$hash                       = null === $report ? null : hash( 'sha256', wp_json_encode( $report ) );
			$hashes[ $row->episode_id ] = $hash;
			if ( null !== $report && $hash !== $row->reported ) {
				$reports[] = array( 'episode_id' => $row->episode_id ) + $report;
			}
		}
		$response = array() === $reports ? true : $this->api->post( "{$this->path}/posts", array( 'posts' => $reports ) );
		if ( is_wp_error( $response ) ) {
			if ( 400 !== $response->get_error_data()['status'] ) {
				return $response;
			}
			// One report has a wrong form. The others go out without it; the wrong one is not sent again.
			if ( count( $rows ) > 1 ) {
				return $this->report_singly( $rows );
			}
		}
		foreach ( $hashes as $episode_id => $hash ) {
			Podstead_Episodes::save(
				$episode_id,
				array(
					'report_due' => 0,
					'reported'   => $hash,
				)
			);
		}
		return true;
	}

	/**
	 * Reports posts, each in a request of its own.
	 *
	 * @param object[] $rows Of the table of episodes.
	 * @return true|WP_Error
	 */
	private function report_singly( array $rows ) {
		foreach ( $rows as $row ) {
			$error = $this->report( array( $row ) );
			if ( is_wp_error( $error ) ) {
				return $error;
			}
		}
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
