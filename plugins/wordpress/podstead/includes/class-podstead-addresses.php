<?php
/**
 * Addresses of this site and of the service.
 *
 * @package Podstead
 */

/**
 * Finds the forms of this site's addresses that the service accepts.
 */
class Podstead_Addresses {

	/**
	 * The home address with a slash at its end.
	 *
	 * @return string
	 */
	public static function home() {
		return trailingslashit( home_url() );
	}

	/**
	 * Where the REST API is. The service knows three forms only. rest_url() may have others
	 * (`/index.php/wp-json/`, another prefix); then the form that always works is sent.
	 *
	 * @param string $home     As home() returns it.
	 * @param string $rest_url As rest_url() returns it.
	 * @return string
	 */
	public static function rest_root( $home, $rest_url ) {
		return $home . 'wp-json/' === $rest_url ? $rest_url : $home . 'index.php?rest_route=/';
	}

	/**
	 * The address of the settings page.
	 *
	 * @return string
	 */
	public static function settings_page() {
		return admin_url( 'options-general.php?page=podstead' );
	}

	/**
	 * The same, or null where the service does not accept it: WordPress may be outside of the home
	 * address.
	 *
	 * @return string|null
	 */
	public static function admin_page_for_service() {
		$page = self::settings_page();
		return str_starts_with( $page, self::home() ) ? $page : null;
	}

	/**
	 * Reads the address of a service. It needs https; without it only this machine is allowed, on
	 * sites for development.
	 *
	 * @param string $input As typed.
	 * @return string|WP_Error Without a slash at its end.
	 */
	public static function parse_service( $input ) {
		$address = untrailingslashit( trim( $input ) );
		$parts   = wp_parse_url( $address );
		$plain   = is_array( $parts ) && isset( $parts['scheme'], $parts['host'] )
			&& ! array_intersect_key( $parts, array_flip( array( 'user', 'pass', 'query', 'fragment' ) ) )
			&& 1 === preg_match( '~^https?://[a-z0-9.:\[\]-]+(/[a-z0-9._/-]*)?$~i', $address );
		if ( ! $plain ) {
			return new WP_Error( 'podstead_address', __( 'This is not the address of a service. It looks like https://podcasts.example.com', 'podstead' ) );
		}
		if ( 'https' !== strtolower( $parts['scheme'] ) && ! self::is_this_machine( $address ) ) {
			return new WP_Error( 'podstead_address', __( 'The address of the service must start with https://', 'podstead' ) );
		}
		return $address;
	}

	/**
	 * Whether the address is on this machine, and the site is one for development.
	 *
	 * @param string $address An address.
	 * @return bool
	 */
	public static function is_this_machine( $address ) {
		return in_array( wp_get_environment_type(), array( 'local', 'development' ), true )
			&& in_array( wp_parse_url( $address, PHP_URL_HOST ), array( 'localhost', '127.0.0.1', '[::1]' ), true );
	}

	/**
	 * The address of a post as the service accepts it: under the home address. Other plugins may
	 * show posts elsewhere.
	 *
	 * @param WP_Post $post A post.
	 * @return string
	 */
	public static function of_post( $post ) {
		$permalink = 'trash' === $post->post_status ? '' : (string) get_permalink( $post );
		$is_plain  = str_starts_with( $permalink, self::home() ) && false === strpos( $permalink, '#' );
		return $is_plain ? $permalink : add_query_arg( 'p', $post->ID, self::home() );
	}
}
