<?php
/**
 * Featured images.
 *
 * @package Podstead
 */

/**
 * Puts artwork into the media library, once for each address.
 */
class Podstead_Artwork {

	const META            = '_podstead_artwork';
	const MAX_BYTES       = 12 * MB_IN_BYTES;
	const MAX_PIXELS      = 25000000;
	const TIMEOUT_SECONDS = 20;

	/**
	 * Endings of the allowed types.
	 */
	const TYPES = array(
		'image/jpeg' => 'jpg',
		'image/png'  => 'png',
		'image/webp' => 'webp',
	);

	/**
	 * Sets the featured image of a post.
	 *
	 * @param int    $post_id The post.
	 * @param string $url     Address of the artwork; empty removes the image.
	 * @return true|WP_Error
	 */
	public static function set( $post_id, $url ) {
		if ( '' === $url ) {
			delete_post_thumbnail( $post_id );
			return true;
		}
		$attachment = self::find( $url ) ?? self::download( $post_id, $url );
		if ( is_wp_error( $attachment ) ) {
			return $attachment;
		}
		if ( get_post_thumbnail_id( $post_id ) !== $attachment ) {
			set_post_thumbnail( $post_id, $attachment );
		}
		return true;
	}

	/**
	 * The image of an address, if it was downloaded before and is still there.
	 *
	 * @param string $url Address.
	 * @return int|null
	 */
	private static function find( $url ) {
		$found = get_posts(
			array(
				'post_type'     => 'attachment',
				'post_status'   => 'inherit',
				'numberposts'   => 1,
				'fields'        => 'ids',
				'no_found_rows' => true,
				'meta_key'      => self::META, // phpcs:ignore WordPress.DB.SlowDBQuery -- Few posts have this key.
				'meta_value'    => hash( 'sha256', $url ), // phpcs:ignore WordPress.DB.SlowDBQuery -- As above.
			)
		);
		return array() === $found ? null : $found[0];
	}

	/**
	 * Downloads an image.
	 *
	 * @param int    $post_id The first post with it.
	 * @param string $url     Address.
	 * @return int|WP_Error
	 */
	private static function download( $post_id, $url ) {
		require_once ABSPATH . 'wp-admin/includes/file.php';
		require_once ABSPATH . 'wp-admin/includes/media.php';
		require_once ABSPATH . 'wp-admin/includes/image.php';
		$file   = wp_tempnam( 'podstead-artwork' );
		$response = wp_remote_get(
			$url,
			array(
				'timeout'             => self::TIMEOUT_SECONDS,
				'redirection'         => 2,
				'stream'              => true,
				'filename'            => $file,
				'limit_response_size' => self::MAX_BYTES,
				'reject_unsafe_urls'  => ! Podstead_Addresses::is_this_machine( $url ),
			)
		);
		$type   = is_wp_error( $response ) || 200 !== wp_remote_retrieve_response_code( $response ) ? null : self::check( $file );
		$result = null === $type
			? new WP_Error( 'podstead_artwork', __( 'The artwork could not be downloaded, or it is no JPEG, PNG or WebP image of a usable size.', 'podstead' ) )
			: media_handle_sideload(
				array(
					'name'     => 'podcast-artwork-' . substr( hash( 'sha256', $url ), 0, 12 ) . '.' . self::TYPES[ $type ],
					'tmp_name' => $file,
				),
				$post_id,
				null,
				array( 'post_title' => __( 'Podcast artwork', 'podstead' ) )
			);
		if ( file_exists( $file ) ) {
			wp_delete_file( $file );
		}
		if ( ! is_wp_error( $result ) ) {
			update_post_meta( $result, self::META, hash( 'sha256', $url ) );
		}
		return $result;
	}

	/**
	 * The type of a file, judged by its bytes; null if it is no image that we take.
	 *
	 * @param string $file Path.
	 * @return string|null
	 */
	private static function check( $file ) {
		$size  = filesize( $file ) < self::MAX_BYTES ? wp_getimagesize( $file ) : false;
		$is_ok = is_array( $size ) && isset( self::TYPES[ $size['mime'] ] ) && $size[0] * $size[1] <= self::MAX_PIXELS;
		return $is_ok ? $size['mime'] : null;
	}
}
