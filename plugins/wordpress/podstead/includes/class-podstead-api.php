<?php
/**
 * Requests to the service.
 *
 * @package Podstead
 */

/**
 * Calls the API. Every call has a time limit and a size limit, and follows no redirect: the key must
 * not go anywhere else.
 */
class Podstead_Api {

	const TIMEOUT_SECONDS = 15;
	const MAX_BYTES       = 4 * MB_IN_BYTES;

	/**
	 * Address of the service, without a slash at its end.
	 *
	 * @var string
	 */
	private $service;

	/**
	 * The site key, or an empty string.
	 *
	 * @var string
	 */
	private $key;

	/**
	 * Makes a client.
	 *
	 * @param string $service Address of the service.
	 * @param string $key     The site key; empty for calls without one.
	 */
	public function __construct( $service, $key = '' ) {
		$this->service = $service;
		$this->key     = $key;
	}

	/**
	 * Sends a GET request.
	 *
	 * @param string $path Path and query.
	 * @param string $etag Of an earlier response, or empty.
	 * @return array{status: int, data: array<string, mixed>, etag: string}|WP_Error 304 has no data.
	 */
	public function get( $path, $etag = '' ) {
		return $this->request( 'GET', $path, null, '' === $etag ? array() : array( 'If-None-Match' => $etag ) );
	}

	/**
	 * Sends a POST request.
	 *
	 * @param string               $path Path.
	 * @param array<string, mixed> $body Goes as a JSON object.
	 * @return array{status: int, data: array<string, mixed>, etag: string}|WP_Error
	 */
	public function post( $path, array $body ) {
		return $this->request( 'POST', $path, wp_json_encode( (object) $body ), array( 'Content-Type' => 'application/json' ) );
	}

	/**
	 * Sends a request. An error's data are status (0 without a response), code, reason and retry_after
	 * (seconds).
	 *
	 * @param string                $method  GET or POST.
	 * @param string                $path    Path and query.
	 * @param string|null           $body    JSON.
	 * @param array<string, string> $headers Further ones.
	 * @return array{status: int, data: array<string, mixed>, etag: string}|WP_Error
	 */
	private function request( $method, $path, $body, array $headers ) {
		$arguments = array(
			'method'              => $method,
			'timeout'             => self::TIMEOUT_SECONDS,
			'redirection'         => 0,
			'limit_response_size' => self::MAX_BYTES,
			'reject_unsafe_urls'  => ! Podstead_Addresses::is_this_machine( $this->service ),
			'user-agent'          => 'Podstead-WordPress/' . PODSTEAD_VERSION,
			'headers'             => $headers + array( 'Accept' => 'application/json' ),
		);
		if ( '' !== $this->key ) {
			$arguments['headers']['Authorization'] = 'Bearer ' . $this->key;
		}
		if ( null !== $body ) {
			$arguments['body'] = $body;
		}
		$response = wp_remote_request( $this->service . $path, $arguments );
		if ( is_wp_error( $response ) ) {
			return self::error( 0, 'no_response', __( 'The service cannot be reached.', 'podstead' ) . ' ' . $response->get_error_message() );
		}
		return self::read( $response );
	}

	/**
	 * Reads a response.
	 *
	 * @param array<string, mixed> $response Of WordPress.
	 * @return array{status: int, data: array<string, mixed>, etag: string}|WP_Error
	 */
	private static function read( array $response ) {
		$status = (int) wp_remote_retrieve_response_code( $response );
		$text   = wp_remote_retrieve_body( $response );
		if ( strlen( $text ) >= self::MAX_BYTES ) {
			return self::error( $status, 'too_large', __( 'The response of the service is too large.', 'podstead' ) );
		}
		$data = 304 === $status ? array() : json_decode( $text, true, 64 );
		if ( $status >= 400 ) {
			return self::refusal( $response, $status, is_array( $data ) ? $data : array() );
		}
		if ( ! is_array( $data ) || ( $status >= 300 && 304 !== $status ) || $status < 200 ) {
			return self::error( $status, 'not_understood', __( 'This address does not respond like a Podstead service. Is it right?', 'podstead' ) );
		}
		$etag = wp_remote_retrieve_header( $response, 'etag' );
		return array(
			'status' => $status,
			'data'   => $data,
			'etag'   => is_string( $etag ) ? $etag : '',
		);
	}

	/**
	 * The error of a refusal.
	 *
	 * @param array<string, mixed> $response Of WordPress.
	 * @param int                  $status The status.
	 * @param array<string, mixed> $data   The body.
	 * @return WP_Error
	 */
	private static function refusal( array $response, $status, array $data ) {
		$error   = isset( $data['error'] ) && is_array( $data['error'] ) ? $data['error'] : array();
		$detail  = isset( $error['details'][0] ) && is_array( $error['details'][0] ) ? $error['details'][0] : array();
		$message = self::text( $error, 'message' );
		/* translators: %d: the status code of an HTTP response. */
		$default = sprintf( __( 'The service refused with status %d.', 'podstead' ), $status );
		$after   = wp_remote_retrieve_header( $response, 'retry-after' );
		return self::error(
			$status,
			self::text( $error, 'code' ),
			'' === $message ? $default : trim( $message . ' ' . self::text( $detail, 'message' ) ),
			self::text( $detail, 'reason' ),
			is_string( $after ) ? absint( $after ) : 0
		);
	}

	/**
	 * A text of a response, cut to a length that is safe to show and to store.
	 *
	 * @param array<string, mixed> $data Of a response.
	 * @param string               $name A key.
	 * @return string
	 */
	private static function text( array $data, $name ) {
		return isset( $data[ $name ] ) && is_string( $data[ $name ] ) ? mb_substr( sanitize_text_field( $data[ $name ] ), 0, 300 ) : '';
	}

	/**
	 * Makes an error.
	 *
	 * @param int    $status      The status, 0 without a response.
	 * @param string $code        Of the API, or our own.
	 * @param string $message     For people.
	 * @param string $reason      Of the first detail.
	 * @param int    $retry_after Seconds.
	 * @return WP_Error
	 */
	public static function error( $status, $code, $message, $reason = '', $retry_after = 0 ) {
		return new WP_Error(
			'podstead_api',
			$message,
			array(
				'status'      => $status,
				'code'        => $code,
				'reason'      => $reason,
				'retry_after' => $retry_after,
			)
		);
	}
}
