<?php
/**
 * Removes everything.
 *
 * @package Podstead
 */

/**
 * Runs when the plugin is deleted, on every site of a network.
 */
class Podstead_Uninstaller {

	/**
	 * Removes what the plugin has stored.
	 */
	public static function run() {
		if ( is_multisite() ) {
			Podstead_Plugin::on_every_site( array( __CLASS__, 'clean_site' ) );
		} else {
			self::clean_site();
		}
	}

	/**
	 * Runs when a site of a network is deleted, before its tables: the service is told, so that it sends
	 * no more pings.
	 *
	 * @param WP_Site $site The site.
	 */
	public static function leave_deleted_site( $site ) {
		switch_to_blog( $site->blog_id );
		if ( get_option( 'podstead_db_version' ) !== false ) {
			Podstead_Connector::disconnect();
			Podstead_Schedule::clear();
		}
		restore_current_blog();
	}

	/**
	 * The tables of a deleted site of a network, ours included. WordPress drops them.
	 *
	 * @param string[] $tables Names.
	 * @return string[]
	 */
	public static function add_table( $tables ) {
		return array_merge( $tables, array( Podstead_Episodes::table() ) );
	}

	/**
	 * Cleans one site.
	 */
	public static function clean_site() {
		global $wpdb;
		if ( get_option( 'podstead_db_version' ) === false ) {
			return;
		}
		Podstead_Connector::disconnect();
		Podstead_Schedule::clear();
		// phpcs:disable WordPress.DB -- Own table and own rows.
		if ( Podstead_Settings::get( 'delete_posts' ) ) {
			foreach ( $wpdb->get_col( 'SELECT post_id FROM ' . Podstead_Episodes::table() . ' WHERE post_id IS NOT NULL' ) as $post_id ) {
				wp_delete_post( (int) $post_id, true );
			}
			foreach ( $wpdb->get_col( $wpdb->prepare( "SELECT post_id FROM {$wpdb->postmeta} WHERE meta_key = %s", Podstead_Artwork::META ) ) as $image_id ) {
				wp_delete_attachment( (int) $image_id, true );
			}
		}
		$wpdb->query( 'DROP TABLE IF EXISTS ' . Podstead_Episodes::table() );
		foreach ( array( Podstead_Episodes::META, Podstead_Player::META, Podstead_Artwork::META ) as $key ) {
			delete_post_meta_by_key( $key );
		}
		$names = $wpdb->get_col( $wpdb->prepare( "SELECT option_name FROM {$wpdb->options} WHERE option_name LIKE %s", $wpdb->esc_like( 'podstead_' ) . '%' ) );
		// phpcs:enable
		array_map( 'delete_option', $names );
	}
}
