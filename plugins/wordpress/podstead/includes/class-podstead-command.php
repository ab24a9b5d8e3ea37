<?php
/**
 * The command `wp podstead`.
 *
 * @package Podstead
 */

/**
 * Connects this site to its podcast, and syncs it.
 */
class Podstead_Command {

	const SECONDS = 3600;

	/**
	 * Connects this site with a key that was made for it at the service.
	 *
	 * ## OPTIONS
	 *
	 * --key=<key>
	 * : The site key. A single dash reads it from standard input.
	 *
	 * [--service=<address>]
	 * : Address of the service. Default: the last one.
	 *
	 * @param string[]              $args    None.
	 * @param array<string, string> $options Options.
	 */
	public function connect( $args, $options ) {
		$before  = Podstead_Connection::find();
		$service = Podstead_Addresses::parse_service( $options['service'] ?? ( null === $before ? '' : $before['service'] ) );
		// phpcs:ignore WordPress.WP.AlternativeFunctions.file_system_operations_fgets -- Standard input is no file.
		$key = '-' === ( $options['key'] ?? '' ) ? trim( (string) fgets( STDIN ) ) : trim( $options['key'] ?? '' );
		if ( is_wp_error( $service ) ) {
			WP_CLI::error( $service->get_error_message() );
		}
		if ( '' === $key ) {
			WP_CLI::error( 'Give the site key: --key=…' );
		}
		$result = Podstead_Connector::register_key( $service, $key );
		if ( is_wp_error( $result ) ) {
			WP_CLI::error( $result->get_error_message() );
		}
		WP_CLI::success( 'This site is connected.' );
	}

	/**
	 * Reads all changes now.
	 *
	 * ## OPTIONS
	 *
	 * [--all]
	 * : Check every episode, not only those that changed.
	 *
	 * @param string[]            $args    None.
	 * @param array<string, bool> $options Options.
	 */
	public function sync( $args, $options ) {
		$this->require_connection();
		if ( ! empty( $options['all'] ) ) {
			Podstead_Episodes::retry_failed();
			Podstead_Connection::change_state(
				array(
					'cursor' => 0,
					'etag'   => '',
				)
			);
		}
		$sync = new Podstead_Sync( self::SECONDS );
		$more = $sync->run( true );
		if ( null !== $sync->error ) {
			WP_CLI::error( $sync->error->get_error_message() );
		}
		WP_CLI::success( sprintf( '%d changes applied.%s', $sync->applied, $more ? ' There are more.' : '' ) );
	}

	/**
	 * Says how the connection is.
	 */
	public function status() {
		$connection = Podstead_Connection::find();
		$state      = Podstead_Connection::state();
		$count      = Podstead_Episodes::count();
		WP_CLI::log( 'connected: ' . ( Podstead_Connection::is_usable() ? 'yes' : 'no' ) );
		WP_CLI::log( 'service: ' . ( null === $connection ? '-' : $connection['service'] ) );
		WP_CLI::log( 'site: ' . ( null === $connection ? '-' : $connection['site_id'] ) );
		WP_CLI::log( 'position: ' . $state['cursor'] );
		WP_CLI::log( 'posts: ' . $count['posts'] );
		WP_CLI::log( 'failed: ' . $count['failed'] );
		WP_CLI::log( 'last sync: ' . ( 0 === $state['synced_at'] ? '-' : gmdate( 'c', $state['synced_at'] ) ) );
		foreach ( $state['errors'] as $error ) {
			WP_CLI::log( 'error: ' . gmdate( 'c', $error['at'] ) . ' ' . trim( $error['episode'] . ' ' . $error['message'] ) );
		}
	}

	/**
	 * Ends the connection. Posts stay.
	 */
	public function disconnect() {
		$this->require_connection();
		$result = Podstead_Connector::disconnect();
		if ( is_wp_error( $result ) ) {
			WP_CLI::error( 'This site has forgotten its key, but the service could not be told: ' . $result->get_error_message() );
		}
		WP_CLI::success( 'This site is disconnected.' );
	}

	/**
	 * Ends the command where there is no connection.
	 */
	private function require_connection() {
		if ( ! Podstead_Connection::is_usable() ) {
			WP_CLI::error( 'This site is not connected.' );
		}
	}
}
