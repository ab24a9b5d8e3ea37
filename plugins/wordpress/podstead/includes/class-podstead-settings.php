<?php
/**
 * What the owner of the site has chosen.
 *
 * @package Podstead
 */

/**
 * Reads and checks the settings. They are one option, `podstead_settings`.
 */
class Podstead_Settings {

	const OPTION = 'podstead_settings';

	/**
	 * The settings of a new installation.
	 *
	 * @return array<string, mixed>
	 */
	public static function defaults() {
		return array(
			'post_type'    => Podstead_Post_Type::NAME,
			'author'       => 0,
			'category'     => 0,
			'new_status'   => 'publish',
			'winner'       => 'site',
			'withdrawn'    => 'trash',
			'delete_posts' => false,
		);
	}

	/**
	 * One setting.
	 *
	 * @param string $name One of the keys of defaults().
	 * @return mixed
	 */
	public static function get( $name ) {
		return self::all()[ $name ];
	}

	/**
	 * All settings.
	 *
	 * @return array<string, mixed>
	 */
	public static function all() {
		$stored = get_option( self::OPTION );
		return self::sanitize( is_array( $stored ) ? $stored : array() );
	}

	/**
	 * Keeps what is allowed and takes the default for everything else.
	 *
	 * @param mixed $input Of a form, or as stored.
	 * @return array<string, mixed>
	 */
	public static function sanitize( $input ) {
		$input    = is_array( $input ) ? $input : array();
		$settings = self::defaults();
		foreach ( self::choices() as $name => $allowed ) {
			if ( isset( $input[ $name ] ) && in_array( $input[ $name ], $allowed, true ) ) {
				$settings[ $name ] = $input[ $name ];
			}
		}
		$settings['author']       = isset( $input['author'] ) ? absint( $input['author'] ) : 0;
		$settings['category']     = isset( $input['category'] ) ? absint( $input['category'] ) : 0;
		$settings['delete_posts'] = ! empty( $input['delete_posts'] );
		return $settings;
	}

	/**
	 * The allowed values of the settings that are choices.
	 *
	 * @return array<string, string[]>
	 */
	public static function choices() {
		return array(
			'post_type'  => array( Podstead_Post_Type::NAME, 'post' ),
			'new_status' => array( 'publish', 'draft' ),
			'winner'     => array( 'site', 'show' ),
			'withdrawn'  => array( 'trash', 'draft', 'keep' ),
		);
	}
}
