<?php
/**
 * One sync at a time.
 *
 * @package Podstead
 */

/**
 * A lock that is a row of the options table. Its holder renews it; the lock of a run that was killed
 * ends by itself. The lock saves work. That no episode is posted twice does not depend on it.
 */
class Podstead_Lock {

	const NAME    = 'podstead_lock';
	const SECONDS = 120;

	/**
	 * The row's value while this object holds the lock: time and a random text.
	 *
	 * @var string
	 */
	private $held = '';

	/**
	 * Takes the lock if nobody has it.
	 *
	 * @return bool
	 */
	public function acquire() {
		global $wpdb;
		$value = self::new_value();
		// phpcs:disable WordPress.DB.DirectDatabaseQuery -- The options API cannot compare and set, and caches.
		$taken = $wpdb->query( $wpdb->prepare( "INSERT IGNORE INTO {$wpdb->options} (option_name, option_value, autoload) VALUES (%s, %s, 'no')", self::NAME, $value ) );
		if ( 1 !== $taken ) {
			$other = $wpdb->get_var( $wpdb->prepare( "SELECT option_value FROM {$wpdb->options} WHERE option_name = %s", self::NAME ) );
			$taken = null !== $other && abs( time() - (int) $other ) > self::SECONDS ? self::replace( $other, $value ) : 0;
		}
		// phpcs:enable
		$this->held = 1 === $taken ? $value : '';
		return 1 === $taken;
	}

	/**
	 * Takes the lock from whoever has it. That run stops before it does anything else.
	 */
	public function steal() {
		global $wpdb;
		$this->held = self::new_value();
		// phpcs:ignore WordPress.DB.DirectDatabaseQuery -- As above.
		$wpdb->query( $wpdb->prepare( "REPLACE INTO {$wpdb->options} (option_name, option_value, autoload) VALUES (%s, %s, 'no')", self::NAME, $this->held ) );
		foreach ( array( Podstead_Connection::OPTION, Podstead_Connection::STATE ) as $option ) {
			wp_cache_delete( $option, 'options' );
		}
	}

	/**
	 * Renews the lock.
	 *
	 * @return bool False if somebody else has it now.
	 */
	public function renew() {
		$value      = self::new_value();
		$renewed    = '' !== $this->held && 1 === self::replace( $this->held, $value );
		$this->held = $renewed ? $value : '';
		return $renewed;
	}

	/**
	 * Gives the lock back.
	 */
	public function release() {
		global $wpdb;
		// phpcs:ignore WordPress.DB.DirectDatabaseQuery -- As above.
		$wpdb->query( $wpdb->prepare( "DELETE FROM {$wpdb->options} WHERE option_name = %s AND option_value = %s", self::NAME, $this->held ) );
		$this->held = '';
	}

	/**
	 * Replaces one value by another, if it is still there.
	 *
	 * @param string $old Old value.
	 * @param string $new_value New value.
	 * @return int|false 1 if it was.
	 */
	private static function replace( $old, $new_value ) {
		global $wpdb;
		// phpcs:ignore WordPress.DB.DirectDatabaseQuery -- As above.
		return $wpdb->query( $wpdb->prepare( "UPDATE {$wpdb->options} SET option_value = %s WHERE option_name = %s AND option_value = %s", $new_value, self::NAME, $old ) );
	}

	/**
	 * The time, and a text that nobody else has.
	 *
	 * @return string
	 */
	private static function new_value() {
		return time() . '|' . wp_generate_password( 20, false );
	}
}
