<?php
/**
 * Connects and disconnects the site.
 *
 * @package Podstead
 */

/**
 * Two ways lead to a site key: the approval in a browser and its one-time code, or a key made at the
 * service and registered by command.
 */
class Podstead_Connector {

	/**
	 * Whether a service responds at an address. The administrator's browser goes there next, and could
	 * not say what is wrong.
	 *
	 * @param string $service Address, as parse_service() returns it.
	 * @return true|WP_Error
	 */
	public static function check_service( $service ) {
		$api    = new Podstead_Api( $service );
		$response = $api->get( '/healthz' );
		if ( is_wp_error( $response ) && 0 === $response->get_error_data()['status'] ) {
			return $response;
		}
		if ( is_wp_error( $response ) || 'ok' !== ( $response['data']['status'] ?? '' ) ) {
			return new WP_Error( 'podstead_service', __( 'This address does not respond like a Podstead service. Is it right?', 'podstead' ) );
		}
		return true;
	}

	/**
	 * Starts an approval.
	 *
	 * @param string $service Address, as parse_service() returns it.
	 * @return string|WP_Error Where to send the browser.
	 */
	public static function begin_approval( $service ) {
		$page = Podstead_Addresses::admin_page_for_service();
		if ( ! str_starts_with( Podstead_Addresses::home(), 'https://' ) ) {
			return new WP_Error( 'podstead_https', __( 'This site needs an https address before it can be connected.', 'podstead' ) );
		}
		if ( null === $page ) {
			return new WP_Error( 'podstead_admin', __( 'The administration of this site is not under its home address. Connect by command: wp podstead connect', 'podstead' ) );
		}
		$pending = Podstead_Pending_Connection::begin( $service );
		$query   = array(
			'site_url'              => Podstead_Addresses::home(),
			'rest_root'             => Podstead_Addresses::rest_root( Podstead_Addresses::home(), rest_url() ),
			'admin_url'             => $page,
			'redirect_uri'          => $page,
			'state'                 => $pending['state'],
			'code_challenge'        => Podstead_Pending_Connection::challenge_of( $pending['verifier'] ),
			'code_challenge_method' => 'S256',
			'site_name'             => self::site_name(),
		);
		return $service . '/connect?' . http_build_query( $query, '', '&', PHP_QUERY_RFC3986 );
	}

	/**
	 * Ends an approval: exchanges the code. Only the session that started it can do so.
	 *
	 * @param string $state Of the address.
	 * @param string $code  Of the address.
	 * @return true|WP_Error
	 */
	public static function complete_approval( $state, $code ) {
		$pending = Podstead_Pending_Connection::find( $state, Podstead_Pending_Connection::APPROVAL_SECONDS );
		if ( null === $pending || Podstead_Pending_Connection::session() !== $pending['session'] ) {
			return new WP_Error( 'podstead_state', __( 'This approval was not started here, or it took too long. Please connect again.', 'podstead' ) );
		}
		Podstead_Pending_Connection::end();
		$api    = new Podstead_Api( $pending['service'] );
		$response = $api->post(
			'/v1/sites/exchange',
			array(
				'code'          => $code,
				'code_verifier' => $pending['verifier'],
			)
		);
		if ( is_wp_error( $response ) ) {
			return $response;
		}
		$data = isset( $response['data']['data'] ) ? $response['data']['data'] : null;
		$key  = is_array( $data ) && isset( $data['api_key'] ) ? $data['api_key'] : null;
		return self::adopt( $pending['service'], $data, $key );
	}

	/**
	 * Forgets an approval that was refused.
	 *
	 * @param string $state Of the address.
	 */
	public static function cancel_approval( $state ) {
		if ( null !== Podstead_Pending_Connection::find( $state, Podstead_Pending_Connection::APPROVAL_SECONDS ) ) {
			Podstead_Pending_Connection::end();
		}
	}

	/**
	 * Registers a key that was made at the service. The service fetches the challenge meanwhile.
	 *
	 * @param string $service Address, as parse_service() returns it.
	 * @param string $key     The unregistered key.
	 * @return true|WP_Error
	 */
	public static function register_key( $service, $key ) {
		$pending = Podstead_Pending_Connection::begin( $service );
		$body    = array(
			'code_challenge' => Podstead_Pending_Connection::challenge_of( $pending['verifier'] ),
			'rest_root'      => Podstead_Addresses::rest_root( Podstead_Addresses::home(), rest_url() ),
			'site_url'       => Podstead_Addresses::home(),
			'state'          => $pending['state'],
		);
		$page    = Podstead_Addresses::admin_page_for_service();
		if ( null !== $page ) {
			$body['admin_url'] = $page;
		}
		$api    = new Podstead_Api( $service, $key );
		$response = $api->post( '/v1/me/sites', $body );
		Podstead_Pending_Connection::end();
		if ( is_wp_error( $response ) ) {
			return $response;
		}
		return self::adopt( $service, isset( $response['data']['data'] ) ? $response['data']['data'] : null, $key );
	}

	/**
	 * Ends the connection at the service, and here also when the service cannot be told.
	 *
	 * @return true|WP_Error What the service said.
	 */
	public static function disconnect() {
		$connection = Podstead_Connection::find();
		if ( null === $connection || '' === $connection['api_key'] ) {
			return true;
		}
		$lock = new Podstead_Lock();
		$lock->steal();
		$api    = new Podstead_Api( $connection['service'], $connection['api_key'] );
		$response = $api->post( '/v1/me/sites/' . $connection['site_id'] . '/disconnect', array() );
		Podstead_Connection::end();
		Podstead_Connection::change_state( array( 'ended' => false ) );
		Podstead_Schedule::clear();
		$lock->release();
		return is_wp_error( $response ) && 401 !== $response->get_error_data()['status'] ? $response : true;
	}

	/**
	 * Stores a new key, and makes the site active.
	 *
	 * @param string $service Address of the service.
	 * @param mixed  $data    Of the exchange or the registration.
	 * @param mixed  $key     The site key.
	 * @return true|WP_Error
	 */
	private static function adopt( $service, $data, $key ) {
		$texts = is_array( $data ) ? array( $data['site_id'] ?? null, $data['ping_secret'] ?? null, $key ) : array();
		if ( 3 !== count( array_filter( $texts, 'is_string' ) ) || ! wp_is_uuid( $data['site_id'] ) ) {
			return new WP_Error( 'podstead_response', __( 'This address does not respond like a Podstead service. Is it right?', 'podstead' ) );
		}
		$lock = new Podstead_Lock();
		$lock->steal();
		Podstead_Connection::save(
			array(
				'service'     => $service,
				'site_id'     => strtolower( $data['site_id'] ),
				'api_key'     => $key,
				'ping_secret' => $data['ping_secret'],
				'expires_at'  => isset( $data['expires_at'] ) ? (int) strtotime( $data['expires_at'] ) : 0,
				'shows'       => array(),
				'verified'    => false,
				'user_id'     => get_current_user_id(),
			)
		);
		Podstead_Episodes::adopt_posts();
		Podstead_Episodes::report_all_again();
		$lock->release();
		$verified = self::verify();
		Podstead_Schedule::ensure();
		Podstead_Schedule::run_soon();
		return $verified;
	}

	/**
	 * Tells the service that the site is ready, and asks which shows it follows.
	 *
	 * @return true|WP_Error
	 */
	public static function verify() {
		$connection = Podstead_Connection::find();
		$api        = new Podstead_Api( $connection['service'], $connection['api_key'] );
		$response   = $api->post(
			'/v1/me/sites/' . $connection['site_id'] . '/verify',
			Podstead_Health::versions() + ( '' === self::site_name() ? array() : array( 'site_name' => self::site_name() ) )
		);
		if ( is_wp_error( $response ) ) {
			return $response;
		}
		Podstead_Connection::change( array( 'verified' => true ) );
		Podstead_Shows::load( $api );
		return true;
	}

	/**
	 * The site's name as the service takes it: up to 200 characters, none of them invisible.
	 *
	 * @return string
	 */
	private static function site_name() {
		$name = wp_specialchars_decode( get_bloginfo( 'name' ), ENT_QUOTES );
		return mb_substr( trim( preg_replace( '/[\p{Cc}\p{Cf}]+/u', ' ', wp_check_invalid_utf8( $name, true ) ) ), 0, 200 );
	}
}
