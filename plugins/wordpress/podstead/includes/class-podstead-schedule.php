<?php
/**
 * When the sync runs.
 *
 * @package Podstead
 */

/**
 * The events of WP-Cron: every 15 minutes, and once at once.
 */
class Podstead_Schedule {

	const REGULAR = 'podstead_sync';
	const SOON    = 'podstead_sync_now';

	/**
	 * Adds the hooks.
	 */
	public static function start() {
		// phpcs:ignore WordPress.WP.CronInterval.CronSchedulesInterval -- A request without changes is one 304.
		add_filter( 'cron_schedules', array( __CLASS__, 'add_interval' ) );
		add_action( self::REGULAR, array( __CLASS__, 'run' ) );
		add_action( self::SOON, array( __CLASS__, 'run' ) );
		add_action( 'admin_init', array( __CLASS__, 'ensure' ) );
	}

	/**
	 * Adds the interval of 15 minutes.
	 *
	 * @param array<string, array<string, mixed>> $schedules Of WordPress.
	 * @return array<string, array<string, mixed>>
	 */
	public static function add_interval( $schedules ) {
		$schedules['podstead_quarter'] = array(
			'interval' => 15 * MINUTE_IN_SECONDS,
			'display'  => 'Podstead',
		);
		return $schedules;
	}

	/**
	 * Schedules the regular run of a connected site. The minute is random, so that sites do not call
	 * all at once.
	 */
	public static function ensure() {
		if ( Podstead_Connection::is_usable() && ! wp_next_scheduled( self::REGULAR ) ) {
			wp_schedule_event( time() + wp_rand( 60, 15 * MINUTE_IN_SECONDS ), 'podstead_quarter', self::REGULAR );
		}
	}

	/**
	 * Runs the sync in a request of its own.
	 */
	public static function run_soon() {
		self::run_later( 0 );
		self::start_cron();
	}

	/**
	 * Starts WP-Cron in a request of its own. Where this is WP-Cron already, spawn_cron() does nothing,
	 * and the event would wait for the next visitor of the site.
	 */
	public static function start_cron() {
		if ( ! wp_doing_cron() ) {
			spawn_cron();
			return;
		}
		// phpcs:disable WordPress.NamingConventions.PrefixAllGlobals -- Sites change WordPress's own request by these filters.
		$request = apply_filters(
			'cron_request',
			array(
				'url'  => site_url( 'wp-cron.php' ),
				'key'  => '',
				'args' => array(
					'timeout'   => 0.01,
					'blocking'  => false,
					'sslverify' => apply_filters( 'https_local_ssl_verify', false ),
				),
			),
			''
		);
		// phpcs:enable
		wp_remote_post( $request['url'], $request['args'] );
	}

	/**
	 * Why scheduled runs do not come, for the person who looks after the site.
	 *
	 * @param int $synced_at When the last run ended; 0: none has.
	 * @return string Empty: nothing is wrong, or a run was only just scheduled.
	 */
	public static function find_problem( $synced_at ) {
		$due = wp_next_scheduled( self::SOON );
		if ( 0 !== $synced_at && ( false === $due || $due > time() - 5 * MINUTE_IN_SECONDS ) ) {
			return '';
		}
		$response = wp_remote_post(
			site_url( 'wp-cron.php' ),
			array(
				'timeout'     => 3,
				'redirection' => 0,
				'sslverify'   => apply_filters( 'https_local_ssl_verify', false ), // phpcs:ignore WordPress.NamingConventions.PrefixAllGlobals -- WordPress's own.
			)
		);
		$status = is_wp_error( $response ) ? 0 : (int) wp_remote_retrieve_response_code( $response );
		if ( 401 === $status || 403 === $status ) {
			/* translators: %d: the status code of an HTTP response. */
			return sprintf( __( 'This site refuses its own request of wp-cron.php with status %d, perhaps because it asks for a password. Allow that path without one, or run “wp cron event run --due-now” every minute. “Sync now” works all the same.', 'podstead' ), $status );
		}
		if ( 0 !== $synced_at ) {
			return __( 'The scheduled tasks of WordPress have not run for five minutes. Check WP-Cron, or run “wp cron event run --due-now” every minute.', 'podstead' );
		}
		return '';
	}

	/**
	 * Runs the sync after the response of this request. Where PHP cannot do that, a request of its own
	 * runs it; WordPress refuses to start one while another one like it is under way.
	 */
	public static function run_after_response() {
		if ( function_exists( 'fastcgi_finish_request' ) || function_exists( 'litespeed_finish_request' ) ) {
			add_action( 'shutdown', array( __CLASS__, 'finish_response' ), 100 );
		} else {
			self::run_soon();
		}
	}

	/**
	 * Ends the response, and runs.
	 */
	public static function finish_response() {
		ignore_user_abort( true );
		if ( function_exists( 'fastcgi_finish_request' ) ) {
			fastcgi_finish_request();
		} else {
			litespeed_finish_request();
		}
		self::run();
	}

	/**
	 * Schedules a run, unless one is due earlier.
	 *
	 * @param int $seconds From now.
	 */
	public static function run_later( $seconds ) {
		$next = wp_next_scheduled( self::SOON );
		if ( false === $next || $next > time() + $seconds ) {
			wp_clear_scheduled_hook( self::SOON );
			wp_schedule_single_event( time() + $seconds, self::SOON );
		}
	}

	/**
	 * How long to wait after a failure: longer after each, or as long as the service asks for; a little
	 * more at random, so that sites do not come back all at once.
	 *
	 * @param int $failures    How many came before.
	 * @param int $retry_after Seconds that the service asks for; 0: it asks for none.
	 * @return int Seconds.
	 */
	public static function choose_wait( $failures, $retry_after ) {
		$waits = array( 60, 300, 900, 1800, HOUR_IN_SECONDS );
		$wait  = $retry_after > 0 ? min( HOUR_IN_SECONDS, $retry_after ) : $waits[ min( $failures, count( $waits ) - 1 ) ];
		return $wait + wp_rand( 0, intdiv( $wait, 10 ) );
	}

	/**
	 * Removes all events.
	 */
	public static function clear() {
		wp_unschedule_hook( self::REGULAR );
		wp_unschedule_hook( self::SOON );
	}

	/**
	 * One run. What it leaves goes on in a request of its own, after this one has ended; also if this
	 * one is killed.
	 */
	public static function run() {
		wp_clear_scheduled_hook( self::SOON );
		$resume = array( 'resume' );
		if ( ! wp_next_scheduled( self::SOON, $resume ) ) {
			wp_schedule_single_event( time() + Podstead_Lock::SECONDS, self::SOON, $resume );
		}
		$sync = new Podstead_Sync( self::seconds_to_run() );
		$more = $sync->run();
		wp_clear_scheduled_hook( self::SOON, $resume );
		if ( $more ) {
			self::run_later( 0 );
			add_action( 'shutdown', array( __CLASS__, 'start_cron' ), 110 );
		}
	}

	/**
	 * How long a run may take, well within the limit of PHP.
	 *
	 * @return int
	 */
	private static function seconds_to_run() {
		$limit = (int) ini_get( 'max_execution_time' );
		return $limit > 0 ? max( 5, min( 30, intdiv( $limit, 2 ) ) ) : 30;
	}
}
