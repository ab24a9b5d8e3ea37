<?php
/**
 * What the service calls.
 *
 * @package Podstead
 */

/**
 * The REST routes `podstead/v1/challenge` and `podstead/v1/ping`. Both are public: the first proves
 * that this site has begun a connection, the second is signed.
 */
class Podstead_Rest {

	const SPACE    = 'podstead/v1';
	const MAX_BODY = 4096;
	const SEEN     = 'podstead_pings';

	/**
	 * Runs on `rest_api_init`.
	 */
	public static function register() {
		register_rest_route(
			self::SPACE,
			'/challenge',
			array(
				'methods'             => 'GET',
				'callback'            => array( __CLASS__, 'challenge' ),
				'permission_callback' => '__return_true',
				'args'                => array(
					'state' => array(
						'type'     => 'string',
						'required' => true,
						'pattern'  => '^[A-Za-z0-9_-]{32,128}$',
					),
				),
			)
		);
		register_rest_route(
			self::SPACE,
			'/ping',
			array(
				'methods'             => 'POST',
				'callback'            => array( __CLASS__, 'ping' ),
				'permission_callback' => array( __CLASS__, 'is_signed' ),
			)
		);
	}

	/**
	 * Answers the challenge of a connection under way.
	 *
	 * @param WP_REST_Request $request With `state`.
	 * @return WP_REST_Response|WP_Error
	 */
	public static function challenge( $request ) {
		$challenge = Podstead_Pending_Connection::find_challenge( $request['state'] );
		if ( null === $challenge ) {
			return new WP_Error( 'podstead_no_connection', 'No connection with this state is under way.', array( 'status' => 404 ) );
		}
		$response = new WP_REST_Response( array( 'code_challenge' => $challenge ) );
		$response->header( 'Cache-Control', 'no-store' );
		return $response;
	}

	/**
	 * Whether the service sent this ping, for the first time.
	 *
	 * @param WP_REST_Request $request A ping.
	 * @return true|WP_Error
	 */
	public static function is_signed( $request ) {
		$connection = Podstead_Connection::find();
		$body       = $request->get_body();
		$signature  = null === $connection || strlen( $body ) > self::MAX_BODY
			? null
			: Podstead_Signature::verify( (string) $request->get_header( 'podstead_signature' ), $body, $connection['ping_secret'], time() );
		if ( null === $signature || ! self::is_first( $signature ) ) {
			return new WP_Error( 'podstead_signature', 'The signature is not valid.', array( 'status' => 401 ) );
		}
		return true;
	}

	/**
	 * Has the feed read at once. The service does not wait for it. What the ping says is not used.
	 *
	 * @return WP_REST_Response
	 */
	public static function ping() {
		Podstead_Schedule::run_after_response();
		return new WP_REST_Response( array( 'accepted' => true ), 202 );
	}

	/**
	 * Notes a signature. The primary key of the options table decides which request is the first.
	 *
	 * @param string $signature A valid one.
	 * @return bool False if it came before.
	 */
	private static function is_first( $signature ) {
		global $wpdb;
		// phpcs:disable WordPress.DB.DirectDatabaseQuery -- The options API cannot insert without a race.
		$wpdb->query( $wpdb->prepare( "DELETE FROM {$wpdb->options} WHERE option_name LIKE %s AND option_value < %s", $wpdb->esc_like( self::SEEN . '_' ) . '%', (string) ( time() - 3 * Podstead_Signature::WINDOW_SECONDS ) ) );
		$inserted = $wpdb->query( $wpdb->prepare( "INSERT IGNORE INTO {$wpdb->options} (option_name, option_value, autoload) VALUES (%s, %s, 'no')", self::SEEN . '_' . $signature, (string) time() ) );
		// phpcs:enable
		return 1 === $inserted;
	}
}
