<?php
/**
 * Tells the service how the plugin is.
 *
 * @package Podstead
 */

/**
 * Versions and errors.
 */
class Podstead_Health {

	/**
	 * Versions in the form that the service takes.
	 *
	 * @return array<string, string>
	 */
	public static function versions() {
		return array_map(
			static function ( $version ) {
				return substr( preg_replace( '/[^0-9A-Za-z.+_ -]+/', '', $version ), 0, 32 );
			},
			array(
				'plugin_version' => PODSTEAD_VERSION,
				'wp_version'     => get_bloginfo( 'version' ),
				'php_version'    => PHP_VERSION,
			)
		);
	}

	/**
	 * Sends a report. If it fails, the next run sends it.
	 *
	 * @param Podstead_Api $api  With the site's key.
	 * @param string       $path Of the site's routes.
	 */
	public static function report( $api, $path ) {
		$state = Podstead_Connection::state();
		$page  = Podstead_Addresses::admin_page_for_service();
		$body  = self::versions() + array(
			'last_sync_at'     => 0 === $state['synced_at'] ? null : gmdate( 'Y-m-d\TH:i:s\Z', $state['synced_at'] ),
			'sync_error_count' => $state['new_errors'],
		);
		if ( ! is_wp_error( $api->post( "$path/health", null === $page ? $body : $body + array( 'admin_url' => $page ) ) ) ) {
			Podstead_Shows::load( $api );
			Podstead_Connection::change_state(
				array(
					'health_at'  => time(),
					'new_errors' => 0,
				)
			);
		}
	}
}
