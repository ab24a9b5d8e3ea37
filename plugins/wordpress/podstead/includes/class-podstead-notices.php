<?php
/**
 * What administrators must know.
 *
 * @package Podstead
 */

/**
 * Notices on the dashboard and on the plugin's own page.
 */
class Podstead_Notices {

	/**
	 * Adds the hooks.
	 */
	public static function start() {
		add_action( 'admin_notices', array( __CLASS__, 'render' ) );
	}

	/**
	 * Draws the notices.
	 */
	public static function render() {
		$screen = get_current_screen();
		if ( ! current_user_can( 'manage_options' ) || null === $screen || ! in_array( $screen->id, array( 'dashboard', Podstead_Settings_Page::SCREEN ), true ) ) {
			return;
		}
		foreach ( self::messages() as $message ) {
			printf( '<div class="notice notice-warning"><p><strong>Podstead:</strong> %s</p></div>', esc_html( $message ) );
		}
	}

	/**
	 * What is wrong.
	 *
	 * @return string[]
	 */
	private static function messages() {
		$state      = Podstead_Connection::state();
		$connection = Podstead_Connection::find();
		$messages   = array();
		if ( $state['ended'] ) {
			$messages[] = __( 'The connection to the podcast service has ended: its key is no longer valid. Your posts stay as they are. Connect again to receive new episodes.', 'podstead' );
		}
		if ( $state['waiting_for_plan'] ) {
			$messages[] = __( 'The plan of your podcast does not include connected sites at present. Your posts stay, and updates go on when the plan is renewed.', 'podstead' );
		}
		if ( Podstead_Connection::is_usable() && $connection['expires_at'] > 0 && $connection['expires_at'] - time() < 14 * DAY_IN_SECONDS && ! $state['ended'] ) {
			/* translators: %s: a date. */
			$messages[] = sprintf( __( 'The connection to the podcast service ends on %s. Connect again to renew it.', 'podstead' ), wp_date( get_option( 'date_format' ), $connection['expires_at'] ) );
		}
		return $messages;
	}
}
