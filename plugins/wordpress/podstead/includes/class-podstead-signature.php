<?php
/**
 * Signatures of pings.
 *
 * @package Podstead
 */

/**
 * Checks the header `Podstead-Signature: t=<Unix seconds>,v1=<hex>`. Nothing here uses WordPress.
 */
class Podstead_Signature {

	const WINDOW_SECONDS = 300;

	/**
	 * Checks a signature.
	 *
	 * @param string $header Of the request.
	 * @param string $body   As it came, byte by byte.
	 * @param string $secret The ping secret.
	 * @param int    $now    Unix seconds.
	 * @return string|null The signature, if it is right.
	 */
	public static function verify( $header, $body, $secret, $now ) {
		if ( '' === $secret || 1 !== preg_match( '/^t=([0-9]{1,12}),v1=([0-9a-f]{64})$/D', $header, $parts ) ) {
			return null;
		}
		$right = hash_equals( hash_hmac( 'sha256', $parts[1] . '.' . $body, $secret ), $parts[2] );
		return $right && abs( $now - (int) $parts[1] ) <= self::WINDOW_SECONDS ? $parts[2] : null;
	}
}
