<?php
/**
 * Pages of the change feed.
 *
 * @package Podstead
 */

/**
 * Asks for pages of changes. A page is checked as a whole before anything of it is applied: each of
 * them moves the position forward, so no response of a service keeps a run at the same place.
 */
class Podstead_Feed {

	const PAGE_SIZE = 50;

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
	 * Changes of a page. Fewer after a response that was too large.
	 *
	 * @var int
	 */
	private $limit = self::PAGE_SIZE;

	/**
	 * Makes a reader.
	 *
	 * @param Podstead_Api $api  With the site's key.
	 * @param string       $path Of the site's routes.
	 */
	public function __construct( $api, $path ) {
		$this->api  = $api;
		$this->path = $path;
	}

	/**
	 * Reads the page after a position.
	 *
	 * @param int    $position The last change that was applied.
	 * @param string $etag     Of an empty page after the same position, or empty.
	 * @return array{items: array<int, array<string, mixed>>, etag: string}|WP_Error Each item has a
	 *                         `seq`, which is greater than the one before.
	 */
	public function read( $position, $etag ) {
		do {
			$response     = $this->api->get( "{$this->path}/changes?after={$position}&limit={$this->limit}", $etag );
			$is_too_large = is_wp_error( $response ) && 'too_large' === $response->get_error_data()['code'] && $this->limit > 1;
			$this->limit  = $is_too_large ? intdiv( $this->limit, 7 ) : $this->limit;
		} while ( $is_too_large );
		if ( is_wp_error( $response ) ) {
			return $response;
		}
		if ( 304 === $response['status'] ) {
			return array(
				'items' => array(),
				'etag'  => $etag,
			);
		}
		$items = $response['data']['data'] ?? null;
		if ( ! self::is_page( $items, $position ) ) {
			return Podstead_Api::error( $response['status'], 'not_understood', __( 'The service sent changes without valid positions. The plugin will ask again later.', 'podstead' ) );
		}
		return array(
			'items' => $items,
			'etag'  => $response['etag'],
		);
	}

	/**
	 * Whether these are changes whose positions increase.
	 *
	 * @param mixed $items    As they came.
	 * @param int   $position The one before.
	 * @return bool
	 */
	private static function is_page( $items, $position ) {
		if ( ! is_array( $items ) ) {
			return false;
		}
		foreach ( $items as $item ) {
			$seq = is_array( $item ) ? $item['seq'] ?? null : null;
			if ( ! is_int( $seq ) || $seq <= $position ) {
				return false;
			}
			$position = $seq;
		}
		return true;
	}
}
