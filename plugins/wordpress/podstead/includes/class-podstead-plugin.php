<?php
/**
 * Puts the parts of the plugin together.
 *
 * @package Podstead
 */

/**
 * Hooks every part into WordPress, and prepares the database.
 */
class Podstead_Plugin {

	/**
	 * Raised when the tables change.
	 */
	const DB_VERSION = '1';

	/**
	 * Adds all hooks. Nothing else happens before WordPress asks for it.
	 */
	public static function start() {
		add_action( 'init', array( __CLASS__, 'init' ) );
		add_action( 'init', array( 'Podstead_Post_Type', 'register' ) );
		add_action( 'init', array( 'Podstead_Player', 'register' ) );
		add_action( 'rest_api_init', array( 'Podstead_Rest', 'register' ) );
		Podstead_Schedule::start();
		Podstead_Post_Watcher::start();
		add_action( 'wp_uninitialize_site', array( 'Podstead_Uninstaller', 'leave_deleted_site' ), 1 );
		add_filter( 'wpmu_drop_tables', array( 'Podstead_Uninstaller', 'add_table' ) );
		if ( is_admin() ) {
			Podstead_Settings_Page::start();
			Podstead_Edit_Screen::start();
			Podstead_Notices::start();
		}
		if ( defined( 'WP_CLI' ) && WP_CLI ) {
			WP_CLI::add_command( 'podstead', 'Podstead_Command' );
		}
	}

	/**
	 * Loads translations, and brings the table up to date on a site where the plugin was not
	 * activated by hand: one of a network, or one that was updated.
	 */
	public static function init() {
		load_plugin_textdomain( 'podstead', false, dirname( plugin_basename( PODSTEAD_FILE ) ) . '/languages' );
		if ( get_option( 'podstead_db_version' ) !== self::DB_VERSION ) {
			self::install();
		}
	}

	/**
	 * Runs on activation.
	 */
	public static function activate() {
		self::install();
		Podstead_Post_Type::register();
		flush_rewrite_rules();
		Podstead_Schedule::ensure();
	}

	/**
	 * Creates the table. Episodes of posts that an import brought along are recognized.
	 */
	private static function install() {
		Podstead_Episodes::create_table();
		Podstead_Episodes::adopt_posts();
		update_option( 'podstead_db_version', self::DB_VERSION );
		update_option( 'podstead_flush_rules', 1 );
	}

	/**
	 * Runs on deactivation: the connection stays, but nothing runs any more. The type is registered
	 * during this request; its rules would stay, and lead addresses of episodes to the front page.
	 *
	 * @param bool $is_network_wide On all sites of a network.
	 */
	public static function deactivate( $is_network_wide = false ) {
		unregister_post_type( Podstead_Post_Type::NAME );
		if ( ! is_multisite() || ! $is_network_wide ) {
			Podstead_Schedule::clear();
			flush_rewrite_rules();
			return;
		}
		self::on_every_site(
			static function () {
				Podstead_Schedule::clear();
				// Each site makes its own rules again with its next request.
				delete_option( 'rewrite_rules' );
			}
		);
	}

	/**
	 * Does something on every site of a network.
	 *
	 * @param callable $action Called with the site as the current one.
	 */
	public static function on_every_site( $action ) {
		foreach ( get_sites(
			array(
				'fields' => 'ids',
				'number' => 0,
			)
		) as $site_id ) {
			switch_to_blog( $site_id );
			$action();
			restore_current_blog();
		}
	}
}
