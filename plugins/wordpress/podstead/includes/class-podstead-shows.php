<?php
/**
 * The shows that this site follows.
 *
 * @package Podstead
 */

/**
 * Their titles, for the settings page.
 */
class Podstead_Shows {

	const LIMIT = 100;

	/**
	 * Loads the titles. Where the service does not tell them now, the known ones stay.
	 *
	 * @param Podstead_Api $api With the site's key.
	 */
	public static function load( $api ) {
		$response = $api->get( '/v1/me/podcasts?limit=' . self::LIMIT );
		$shows  = is_wp_error( $response ) ? null : ( $response['data']['data'] ?? null );
		if ( ! is_array( $shows ) || array() === $shows ) {
			return;
		}
		$titles = array();
		foreach ( $shows as $show ) {
			if ( is_array( $show ) && is_string( $show['title'] ?? null ) ) {
				$titles[] = mb_substr( $show['title'], 0, 200 );
			}
		}
		Podstead_Connection::change( array( 'shows' => $titles ) );
	}
}
