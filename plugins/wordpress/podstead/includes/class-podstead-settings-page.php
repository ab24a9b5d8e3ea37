<?php
/**
 * Settings → Podstead.
 *
 * @package Podstead
 */

/**
 * Handles the page's actions. Podstead_Settings_View draws it.
 */
class Podstead_Settings_Page {

	const PAGE   = 'podstead';
	const SCREEN = 'settings_page_podstead';
	const NOTICE = 'podstead_notice_';

	/**
	 * Adds the hooks.
	 */
	public static function start() {
		add_action( 'admin_menu', array( __CLASS__, 'add_page' ) );
		add_action( 'admin_init', array( __CLASS__, 'register' ) );
		add_action( 'load-' . self::SCREEN, array( __CLASS__, 'receive_approval' ) );
		add_action( 'admin_enqueue_scripts', array( __CLASS__, 'add_style' ) );
		foreach ( array( 'connect', 'sync', 'disconnect' ) as $action ) {
			add_action( "admin_post_podstead_$action", array( __CLASS__, $action ) );
		}
		add_filter( 'plugin_action_links_' . plugin_basename( PODSTEAD_FILE ), array( __CLASS__, 'add_link' ) );
	}

	/**
	 * Adds the page to the menu.
	 */
	public static function add_page() {
		add_options_page( 'Podstead', 'Podstead', 'manage_options', self::PAGE, array( 'Podstead_Settings_View', 'render' ) );
	}

	/**
	 * Adds the style of the page.
	 *
	 * @param string $screen Of the request.
	 */
	public static function add_style( $screen ) {
		if ( self::SCREEN === $screen ) {
			wp_enqueue_style( 'podstead-admin', plugins_url( 'assets/admin.css', PODSTEAD_FILE ), array(), PODSTEAD_VERSION );
		}
	}

	/**
	 * Registers the settings. WordPress checks nonce and capability when the form is sent.
	 */
	public static function register() {
		register_setting(
			self::PAGE,
			Podstead_Settings::OPTION,
			array(
				'type'              => 'array',
				'sanitize_callback' => array( 'Podstead_Settings', 'sanitize' ),
			)
		);
		if ( function_exists( 'wp_add_privacy_policy_content' ) ) {
			wp_add_privacy_policy_content( 'Podstead', wpautop( __( 'Posts of podcast episodes contain a player. When a visitor opens such a post, the browser loads the player from the podcast service, which receives the IP address as every web server does. When the visitor plays an episode, the service counts the download.', 'podstead' ) ) );
		}
	}

	/**
	 * Adds a link in the list of plugins.
	 *
	 * @param string[] $links Links.
	 * @return string[]
	 */
	public static function add_link( $links ) {
		array_unshift( $links, sprintf( '<a href="%s">%s</a>', esc_url( Podstead_Addresses::settings_page() ), esc_html__( 'Settings', 'podstead' ) ) );
		return $links;
	}

	/**
	 * Sends the browser to the service.
	 */
	public static function connect() {
		self::check( 'podstead_connect' );
		// phpcs:ignore WordPress.Security.NonceVerification.Missing -- check() verifies it.
		$service = Podstead_Addresses::parse_service( isset( $_POST['service'] ) ? sanitize_text_field( wp_unslash( $_POST['service'] ) ) : '' );
		$reached = is_wp_error( $service ) ? $service : Podstead_Connector::check_service( $service );
		$target  = is_wp_error( $reached ) ? $reached : Podstead_Connector::begin_approval( $service );
		if ( is_wp_error( $target ) ) {
			self::leave( $target );
		}
		// phpcs:ignore WordPress.Security.SafeRedirect.wp_redirect_wp_redirect -- The administrator typed the address.
		wp_redirect( $target, 303 );
		exit;
	}

	/**
	 * Handles the browser's return from the service. The state takes the place of a nonce: it is bound
	 * to the session that started the approval.
	 */
	public static function receive_approval() {
		// phpcs:disable WordPress.Security.NonceVerification.Recommended -- See above.
		$state = isset( $_GET['state'] ) ? sanitize_text_field( wp_unslash( $_GET['state'] ) ) : '';
		$code  = isset( $_GET['code'] ) ? sanitize_text_field( wp_unslash( $_GET['code'] ) ) : '';
		$error = isset( $_GET['error'] ) ? sanitize_key( $_GET['error'] ) : '';
		// phpcs:enable
		if ( '' === $state || ( '' === $code && '' === $error ) || ! current_user_can( 'manage_options' ) ) {
			return;
		}
		if ( '' !== $error ) {
			Podstead_Connector::cancel_approval( $state );
			self::leave( new WP_Error( 'podstead_denied', __( 'The connection was not approved.', 'podstead' ) ) );
		}
		$result = Podstead_Connector::complete_approval( $state, $code );
		self::leave( $result, __( 'This site is connected. Its episodes are being posted.', 'podstead' ) );
	}

	/**
	 * Runs the sync while the administrator waits, for a short time.
	 */
	public static function sync() {
		self::check( 'podstead_sync' );
		$sync = new Podstead_Sync( 10 );
		$more = $sync->run( true );
		if ( $more ) {
			Podstead_Schedule::run_soon();
		}
		$text = $more ? __( 'The sync goes on in the background.', 'podstead' ) : __( 'This site is up to date.', 'podstead' );
		self::leave( $sync->error ?? true, $text );
	}

	/**
	 * Disconnects.
	 */
	public static function disconnect() {
		self::check( 'podstead_disconnect' );
		$result = Podstead_Connector::disconnect();
		if ( is_wp_error( $result ) ) {
			$result = new WP_Error( 'podstead_disconnect', __( 'This site has forgotten its key, but the service could not be told. Please disconnect the site there, too.', 'podstead' ) );
		}
		self::leave( $result, __( 'This site is disconnected. Its posts stay.', 'podstead' ) );
	}

	/**
	 * The notice of the last action of this user, once.
	 *
	 * @return array{message: string, is_error: bool}|null
	 */
	public static function take_notice() {
		$name   = self::NOTICE . get_current_user_id();
		$notice = get_transient( $name );
		delete_transient( $name );
		return is_array( $notice ) ? $notice : null;
	}

	/**
	 * Ends the request unless an administrator sent the form.
	 *
	 * @param string $action Of the nonce.
	 */
	private static function check( $action ) {
		check_admin_referer( $action );
		if ( ! current_user_can( 'manage_options' ) ) {
			wp_die( esc_html__( 'You are not allowed to do this.', 'podstead' ), 403 );
		}
	}

	/**
	 * Returns to the page with a notice.
	 *
	 * @param mixed  $result A WP_Error or anything else.
	 * @param string $text   Of a success.
	 */
	private static function leave( $result, $text = '' ) {
		$is_error = is_wp_error( $result );
		$message  = $is_error ? $result->get_error_message() : $text;
		set_transient( self::NOTICE . get_current_user_id(), compact( 'message', 'is_error' ), MINUTE_IN_SECONDS );
		wp_safe_redirect( Podstead_Addresses::settings_page(), 303 );
		exit;
	}
}
