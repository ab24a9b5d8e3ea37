<?php
/**
 * What the site knows of its connection.
 *
 * @package Podstead
 */

/**
 * The stored connection, and the state of its sync. Both hold secrets or change often, so they are
 * never loaded with all other options.
 */
class Podstead_Connection {

	const OPTION = 'podstead_connection';
	const STATE  = 'podstead_state';

	/**
	 * The connection, or null. Keys: service, site_id, api_key, ping_secret, expires_at, shows,
	 * verified, user_id.
	 *
	 * @return array<string, mixed>|null
	 */
	public static function find() {
		$stored = get_option( self::OPTION );
		return is_array( $stored ) && isset( $stored['site_id'] ) ? $stored : null;
	}

	/**
	 * Whether the site has a key that nobody has refused.
	 *
	 * @return bool
	 */
	public static function is_usable() {
		$connection = self::find();
		return null !== $connection && '' !== $connection['api_key'];
	}

	/**
	 * Stores a connection in the place of any other. The position in the feed is kept if it is the
	 * same site of the same service, and starts at 0 if it is not.
	 *
	 * @param array<string, mixed> $connection As find() returns it.
	 */
	public static function save( array $connection ) {
		$before = self::find();
		$same   = null !== $before && $before['site_id'] === $connection['site_id'] && $before['service'] === $connection['service'];
		update_option( self::OPTION, $connection, false );
		update_option(
			self::STATE,
			array_merge( self::new_state(), array( 'cursor' => $same ? self::state()['cursor'] : 0 ) ),
			false
		);
	}

	/**
	 * Changes some fields of the connection.
	 *
	 * @param array<string, mixed> $fields As in find().
	 */
	public static function change( array $fields ) {
		$connection = self::find();
		if ( null !== $connection ) {
			update_option( self::OPTION, array_merge( $connection, $fields ), false );
		}
	}

	/**
	 * Keeps which site this is, so that a new connection goes on where this one ended. The secrets go.
	 */
	public static function end() {
		self::change(
			array(
				'api_key'     => '',
				'ping_secret' => '',
			)
		);
	}

	/**
	 * How the sync stands. Times are Unix seconds, 0 for never.
	 *
	 * @return array<string, mixed>
	 */
	public static function state() {
		$stored = get_option( self::STATE );
		return array_merge( self::new_state(), is_array( $stored ) ? $stored : array() );
	}

	/**
	 * Changes some fields of the state.
	 *
	 * @param array<string, mixed> $fields As in new_state().
	 */
	public static function change_state( array $fields ) {
		update_option( self::STATE, array_merge( self::state(), $fields ), false );
	}

	/**
	 * Stores the position.
	 *
	 * @param int $cursor The last change that was applied.
	 */
	public static function move( $cursor ) {
		self::change_state(
			array(
				'cursor' => $cursor,
				'etag'   => '',
			)
		);
	}

	/**
	 * Keeps the last ten errors for the settings page, and counts them for the service.
	 *
	 * @param WP_Error $error What went wrong.
	 */
	public static function note_error( $error ) {
		$state = self::state();
		$data  = $error->get_error_data();
		array_unshift(
			$state['errors'],
			array(
				'at'      => time(),
				'message' => mb_substr( $error->get_error_message(), 0, 500 ),
				'episode' => is_array( $data ) && isset( $data['episode'] ) ? mb_substr( $data['episode'], 0, 200 ) : '',
			)
		);
		self::change_state(
			array(
				'errors'     => array_slice( $state['errors'], 0, 10 ),
				'new_errors' => min( 1000000, $state['new_errors'] + 1 ),
			)
		);
	}

	/**
	 * The state of a connection that has not synced.
	 *
	 * @return array<string, mixed>
	 */
	private static function new_state() {
		return array(
			'cursor'           => 0,
			'etag'             => '',
			'synced_at'        => 0,
			'ended'            => false,
			'waiting_for_plan' => false,
			'retry_at'         => 0,
			'failures'         => 0,
			'health_at'        => 0,
			'checked_at'       => 0,
			'new_errors'       => 0,
			'errors'           => array(),
		);
	}
}
