<?php
/**
 * Plugin Name:       Podstead
 * Description:       Posts the episodes of your podcast on this site, and keeps the posts up to date.
 * Version:           0.1.0
 * Requires at least: 6.1
 * Requires PHP:      8.1
 * Author:            The Podstead developers
 * License:           GPL-2.0-or-later
 * License URI:       https://www.gnu.org/licenses/gpl-2.0.html
 * Text Domain:       podstead
 * Domain Path:       /languages
 *
 * @package Podstead
 */

defined( 'ABSPATH' ) || exit;

define( 'PODSTEAD_VERSION', '0.1.0' );
define( 'PODSTEAD_FILE', __FILE__ );

/*
 * Loads a class when it is first used: Podstead_Post_Writer is in
 * includes/class-podstead-post-writer.php.
 */
spl_autoload_register(
	static function ( $name ) {
		if ( 1 === preg_match( '/^Podstead_[A-Za-z_]+$/', $name ) ) {
			$file = __DIR__ . '/includes/class-' . strtolower( str_replace( '_', '-', $name ) ) . '.php';
			if ( is_readable( $file ) ) {
				require $file;
			}
		}
	}
);

register_activation_hook( __FILE__, array( 'Podstead_Plugin', 'activate' ) );
register_deactivation_hook( __FILE__, array( 'Podstead_Plugin', 'deactivate' ) );
add_action( 'plugins_loaded', array( 'Podstead_Plugin', 'start' ) );
