<?php
/**
 * A connection under way.
 *
 * @package Podstead
 */

/**
 * The secrets of a connection from its start to its key: only who knows them can finish it.
 */
class Podstead_Pending_Connection {

	const OPTION = 'podstead_pending';

	/**
	 * How long an approval may take, and how long the challenge gets a response.
	 */
	const APPROVAL_SECONDS  = HOUR_IN_SECONDS;
	const CHALLENGE_SECONDS = 10 * MINUTE_IN_SECONDS;

	/**
	 * Makes and stores the secrets of a new connection.
	 *
	 * @param string $service Address of the service.
	 * @return array<string, mixed>
	 */
	public static function begin( $service ) {
		$pending = array(
			'service'  => $service,
			'state'    => self::random_text(),
			'verifier' => self::random_text(),
			'session'  => self::session(),
			'at'       => time(),
		);
		update_option( self::OPTION, $pending, false );
		return $pending;
	}

	/**
	 * The connection under way with this state, if it is not too old.
	 *
	 * @param string $state   As it came.
	 * @param int    $seconds How old it may be.
	 * @return array<string, mixed>|null
	 */
	public static function find( $state, $seconds ) {
		$pending = get_option( self::OPTION );
		$known   = is_array( $pending ) && hash_equals( $pending['state'], $state );
		return $known && abs( time() - $pending['at'] ) <= $seconds ? $pending : null;
	}

	/**
	 * Forgets the connection under way.
	 */
	public static function end() {
		delete_option( self::OPTION );
	}

	/**
	 * The challenge of a connection under way, for the service.
	 *
	 * @param string $state As the service sends it.
	 * @return string|null
	 */
	public static function find_challenge( $state ) {
		$pending = self::find( $state, self::CHALLENGE_SECONDS );
		return null === $pending ? null : self::challenge_of( $pending['verifier'] );
	}

	/**
	 * The S256 challenge of a verifier.
	 *
	 * @param string $verifier The verifier.
	 * @return string
	 */
	public static function challenge_of( $verifier ) {
		return self::base64url( hash( 'sha256', $verifier, true ) );
	}

	/**
	 * Names the user and the browser session without giving either away.
	 *
	 * @return string
	 */
	public static function session() {
		return wp_hash( get_current_user_id() . '|' . wp_get_session_token() );
	}

	/**
	 * 43 characters, 256 random bits.
	 *
	 * @return string
	 */
	private static function random_text() {
		return self::base64url( random_bytes( 32 ) );
	}

	/**
	 * Base64 with the alphabet of addresses.
	 *
	 * @param string $bytes Bytes.
	 * @return string
	 */
	private static function base64url( $bytes ) {
		// phpcs:ignore WordPress.PHP.DiscouragedPHPFunctions.obfuscation_base64_encode -- RFC 7636 asks for it.
		return rtrim( strtr( base64_encode( $bytes ), '+/', '-_' ), '=' );
	}
}
