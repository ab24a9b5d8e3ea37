<?php
/**
 * A run of the sync that is asked for while another one is under way.
 *
 * @package Podstead
 */

/**
 * The request is a row of the options table. Plain SQL reads it: the options API remembers for the rest
 * of a process that an option is not there.
 */
class Podstead_Sync_Request {

	const NAME = 'podstead_sync_again';

	// phpcs:disable WordPress.DB.DirectDatabaseQuery -- Says the class.
	/**
	 * Asks for the feed to be read once more.
	 */
	public static function make() {
		global $wpdb;
		$wpdb->query( $wpdb->prepare( "INSERT IGNORE INTO {$wpdb->options} (option_name, option_value, autoload) VALUES (%s, '1', 'no')", self::NAME ) );
	}

	/**
	 * Whether somebody has asked since the feed was last read.
	 *
	 * @return bool
	 */
	public static function is_made() {
		global $wpdb;
		return null !== $wpdb->get_var( $wpdb->prepare( "SELECT 1 FROM {$wpdb->options} WHERE option_name = %s", self::NAME ) );
	}

	/**
	 * Forgets the request. Comes before the feed is read: who asks after that wants it read again.
	 */
	public static function forget() {
		global $wpdb;
		$wpdb->query( $wpdb->prepare( "DELETE FROM {$wpdb->options} WHERE option_name = %s", self::NAME ) );
	}
	// phpcs:enable
}
