<?php
/**
 * Reads the change feed.
 *
 * @package Podstead
 */

/**
 * One run of the sync. The position is stored after every change, so a run that is killed goes on
 * where it was; what it had begun is repeated, which changes nothing.
 */
class Podstead_Sync {

	const MAX_ATTEMPTS = 3;

	/**
	 * True while this process writes posts.
	 *
	 * @var bool
	 */
	public static $is_running = false;

	/**
	 * Changes that this run applied.
	 *
	 * @var int
	 */
	public $applied = 0;

	/**
	 * Why the run stopped early.
	 *
	 * @var WP_Error|null
	 */
	public $error = null;

	/**
	 * Unix seconds with a fraction.
	 *
	 * @var float
	 */
	private $deadline;

	/**
	 * The lock.
	 *
	 * @var Podstead_Lock
	 */
	private $lock;

	/**
	 * The client.
	 *
	 * @var Podstead_Api
	 */
	private $api;

	/**
	 * Path of the site's routes.
	 *
	 * @var string
	 */
	private $path;

	/**
	 * Makes a run.
	 *
	 * @param int $seconds How long it may take.
	 */
	public function __construct( $seconds ) {
		$this->deadline = microtime( true ) + $seconds;
		$this->lock     = new Podstead_Lock();
	}

	/**
	 * Runs, unless another run is under way: the feed is then read once more after that one's last look.
	 *
	 * @param bool $is_forced Also where the service asked to wait.
	 * @return bool Whether there is more to do.
	 */
	public function run( $is_forced = false ) {
		if ( ! Podstead_Connection::is_usable() || ( ! $is_forced && time() < Podstead_Connection::state()['retry_at'] ) ) {
			return false;
		}
		if ( ! $this->lock->acquire() ) {
			Podstead_Sync_Request::make();
			// The other run may have ended before it could see the request.
			if ( ! $this->lock->acquire() ) {
				return false;
			}
		}
		self::$is_running = true;
		try {
			$is_more = $this->run_locked();
		} finally {
			self::$is_running = false;
			$this->lock->release();
		}
		return $is_more || ( null === $this->error && Podstead_Sync_Request::is_made() );
	}

	/**
	 * Reads, reports, and does so again if a ping came meanwhile.
	 *
	 * @return bool Whether there is more to do.
	 */
	private function run_locked() {
		wp_cache_delete_multiple( array( Podstead_Connection::OPTION, Podstead_Connection::STATE ), 'options' );
		// It may have ended while this run waited for the lock.
		if ( ! Podstead_Connection::is_usable() ) {
			return false;
		}
		$connection = Podstead_Connection::find();
		$this->api  = new Podstead_Api( $connection['service'], $connection['api_key'] );
		$this->path = '/v1/me/sites/' . $connection['site_id'];
		$ready      = $connection['verified'] ? true : Podstead_Connector::verify();
		if ( is_wp_error( $ready ) ) {
			$this->stop( $ready );
			return false;
		}
		$this->check_failed_again();
		$reporter = new Podstead_Reporter( $this->api, $this->path );
		do {
			Podstead_Sync_Request::forget();
			$is_done = $this->read_feed();
			$told    = null === $this->error && $this->lock->renew() ? $reporter->send( $this->deadline ) : true;
			if ( is_wp_error( $told ) && 429 === $told->get_error_data()['status'] ) {
				// Reports can wait; the next run reads changes all the same.
				Podstead_Schedule::run_later( Podstead_Schedule::choose_wait( 0, $told->get_error_data()['retry_after'] ) );
				$told = true;
			} elseif ( is_wp_error( $told ) ) {
				$this->stop( $told );
			}
		} while ( $is_done && null === $this->error && ! $this->is_late() && Podstead_Sync_Request::is_made() );
		if ( null === $this->error && $is_done && $this->lock->renew() ) {
			$this->finish();
		}
		return null === $this->error && ( ! $is_done || ! $told );
	}

	/**
	 * Applies all changes after the stored position.
	 *
	 * @return bool False if time ran out.
	 */
	private function read_feed() {
		$feed   = new Podstead_Feed( $this->api, $this->path );
		$resets = 0;
		while ( ! $this->is_late() ) {
			$state = Podstead_Connection::state();
			$page  = $feed->read( $state['cursor'], $state['etag'] );
			if ( ! $this->lock->renew() ) {
				return true;
			}
			if ( is_wp_error( $page ) ) {
				if ( 'unknown_position' !== $page->get_error_data()['reason'] || $resets++ > 0 ) {
					$this->stop( $page );
					return true;
				}
				Podstead_Connection::move( 0 );
				continue;
			}
			if ( array() === $page['items'] ) {
				Podstead_Connection::change_state( array( 'etag' => $page['etag'] ) );
				return true;
			}
			if ( ! $this->apply_page( $page['items'] ) ) {
				return false;
			}
			wp_cache_flush_runtime();
		}
		return false;
	}

	/**
	 * Applies the changes of a page.
	 *
	 * @param array<int, array<string, mixed>> $items Changes in their order.
	 * @return bool False if time ran out or the lock is lost.
	 */
	private function apply_page( array $items ) {
		foreach ( $items as $item ) {
			if ( $this->is_late() || ! $this->lock->renew() ) {
				return false;
			}
			$change = Podstead_Change::parse( $item );
			$error  = is_wp_error( $change ) ? $change : $this->apply( $change );
			if ( is_wp_error( $error ) ) {
				Podstead_Connection::note_error( $error );
			}
			Podstead_Connection::move( $item['seq'] );
		}
		return true;
	}

	/**
	 * Applies one change. One that fails does not hold up the others. A change during which PHP itself
	 * ended is not tried for ever.
	 *
	 * @param Podstead_Change $change A change.
	 * @return true|WP_Error
	 */
	private function apply( $change ) {
		$row = Podstead_Episodes::find( $change->episode_id );
		if ( null !== $row && $change->is_reflected_by( $row ) ) {
			return true;
		}
		$row    = Podstead_Episodes::begin( $change->episode_id, $change->podcast_id );
		$result = new WP_Error( 'podstead_attempts', __( 'Writing this episode failed three times. It will be tried again in a day.', 'podstead' ) );
		if ( $row->attempts <= self::MAX_ATTEMPTS ) {
			try {
				$result = ( new Podstead_Post_Writer( $row ) )->apply( $change );
			} catch ( Throwable $problem ) {
				$result = new WP_Error( 'podstead_write', $problem->getMessage() );
			}
		}
		if ( is_wp_error( $result ) ) {
			Podstead_Episodes::save( $change->episode_id, array( 'failed' => 1 ) );
			$result->add_data( array( 'episode' => $change->title() ) );
			return $result;
		}
		++$this->applied;
		return true;
	}

	/**
	 * Reads everything once more if something failed a day ago. What is up to date is not written.
	 */
	private function check_failed_again() {
		$state = Podstead_Connection::state();
		if ( time() - $state['checked_at'] > DAY_IN_SECONDS ) {
			Podstead_Connection::change_state( array( 'checked_at' => time() ) );
			if ( Podstead_Episodes::retry_failed() > 0 ) {
				Podstead_Connection::move( 0 );
			}
		}
	}

	/**
	 * Notes a run that read the feed to its end, and tells the service now and then.
	 */
	private function finish() {
		Podstead_Connection::change_state(
			array(
				'synced_at'        => time(),
				'failures'         => 0,
				'retry_at'         => 0,
				'waiting_for_plan' => false,
			)
		);
		$state = Podstead_Connection::state();
		if ( $this->applied > 0 || $state['new_errors'] > 0 || time() - $state['health_at'] > DAY_IN_SECONDS ) {
			Podstead_Health::report( $this->api, $this->path );
		}
	}

	/**
	 * Decides what a refusal means.
	 *
	 * @param WP_Error $error Of the API.
	 */
	private function stop( $error ) {
		$this->error = $error;
		$problem     = $error->get_error_data();
		$state       = Podstead_Connection::state();
		if ( ! $this->lock->renew() ) {
			return;
		}
		if ( 401 === $problem['status'] ) {
			Podstead_Connection::end();
			Podstead_Connection::change_state( array( 'ended' => true ) );
			Podstead_Schedule::clear();
			return;
		}
		if ( 'plan_upgrade_required' === $problem['code'] ) {
			Podstead_Connection::change_state( array( 'waiting_for_plan' => true ) );
			return;
		}
		$wait = Podstead_Schedule::choose_wait( $state['failures'], $problem['retry_after'] );
		Podstead_Connection::change_state(
			array(
				'failures' => $state['failures'] + 1,
				'retry_at' => time() + $wait,
			)
		);
		if ( 429 !== $problem['status'] ) {
			Podstead_Connection::note_error( $error );
		}
		Podstead_Schedule::run_later( $wait );
	}

	/**
	 * Whether the time is up.
	 *
	 * @return bool
	 */
	private function is_late() {
		return microtime( true ) >= $this->deadline;
	}
}
