<?php
/**
 * Draws Settings → Podstead.
 *
 * @package Podstead
 */

/**
 * The page: connection, errors, settings.
 */
class Podstead_Settings_View {

	/**
	 * Draws the page.
	 */
	public static function render() {
		$connection = Podstead_Connection::find();
		$notice     = Podstead_Settings_Page::take_notice();
		echo '<div class="wrap"><h1>Podstead</h1>';
		if ( null !== $notice ) {
			printf( '<div class="notice notice-%s"><p>%s</p></div>', $notice['is_error'] ? 'error' : 'success', esc_html( $notice['message'] ) );
		}
		if ( Podstead_Connection::is_usable() ) {
			self::render_connection( $connection );
		} else {
			self::render_connect( null === $connection ? '' : $connection['service'] );
		}
		self::render_errors();
		self::render_settings();
		echo '</div>';
	}

	/**
	 * The form that connects.
	 *
	 * @param string $service The last service, or an empty string.
	 */
	private static function render_connect( $service ) {
		printf( '<h2>%s</h2>', esc_html__( 'Connect this site', 'podstead' ) );
		printf( '<p>%s</p>', esc_html__( 'You choose the shows at your podcast service. Their episodes then appear here as posts.', 'podstead' ) );
		self::open_form( 'connect' );
		printf(
			'<table class="form-table" role="presentation"><tbody><tr><th scope="row"><label for="podstead-service">%s</label></th><td><input type="url" class="regular-text" id="podstead-service" name="service" required placeholder="https://podcasts.example.com" value="%s"></td></tr></tbody></table>',
			esc_html__( 'Address of the service', 'podstead' ),
			esc_attr( $service )
		);
		submit_button( __( 'Connect', 'podstead' ), 'primary', 'podstead-connect' );
		echo '</form>';
	}

	/**
	 * What is connected.
	 *
	 * @param array<string, mixed> $connection The connection.
	 */
	private static function render_connection( array $connection ) {
		$state = Podstead_Connection::state();
		$count = Podstead_Episodes::count();
		$rows  = array(
			__( 'Service', 'podstead' )             => $connection['service'],
			__( 'Shows', 'podstead' )               => array() === $connection['shows'] ? '–' : implode( ', ', $connection['shows'] ),
			__( 'Episodes with posts', 'podstead' ) => number_format_i18n( $count['posts'] ),
			__( 'Last sync', 'podstead' )           => self::moment( $state['synced_at'] ),
			__( 'Connected until', 'podstead' )     => self::moment( $connection['expires_at'] ),
		);
		if ( $state['retry_at'] > time() ) {
			$rows[ __( 'Next try', 'podstead' ) ] = self::moment( $state['retry_at'] );
		}
		self::render_cron_warning( $state['synced_at'] );
		printf( '<h2>%s</h2><table class="form-table" role="presentation"><tbody>', esc_html__( 'Connection', 'podstead' ) );
		foreach ( $rows as $name => $value ) {
			printf( '<tr><th scope="row">%s</th><td>%s</td></tr>', esc_html( $name ), esc_html( $value ) );
		}
		echo '</tbody></table>';
		self::open_form( 'sync' );
		submit_button( __( 'Sync now', 'podstead' ), 'primary', 'podstead-sync', false );
		echo '</form>';
		self::open_form( 'disconnect' );
		submit_button( __( 'Disconnect', 'podstead' ), 'secondary', 'podstead-disconnect', false );
		echo '</form>';
	}

	/**
	 * Says why nothing is posted where the scheduled tasks of WordPress do not run.
	 *
	 * @param int $synced_at Unix seconds; 0: never.
	 */
	private static function render_cron_warning( $synced_at ) {
		$problem = Podstead_Schedule::find_problem( $synced_at );
		if ( '' !== $problem ) {
			printf(
				'<div class="notice notice-warning inline"><p><strong>%s</strong> %s</p></div>',
				esc_html__( 'Episodes are not posted automatically.', 'podstead' ),
				esc_html( $problem )
			);
		}
	}

	/**
	 * The last errors.
	 */
	private static function render_errors() {
		$errors = Podstead_Connection::state()['errors'];
		if ( array() === $errors ) {
			return;
		}
		printf( '<h2>%s</h2><ul class="ul-disc">', esc_html__( 'Last errors', 'podstead' ) );
		foreach ( $errors as $error ) {
			$text = '' === $error['episode'] ? $error['message'] : $error['episode'] . ': ' . $error['message'];
			printf( '<li>%s – %s</li>', esc_html( self::moment( $error['at'] ) ), esc_html( $text ) );
		}
		echo '</ul>';
	}

	/**
	 * The form of the settings.
	 */
	private static function render_settings() {
		$settings = Podstead_Settings::all();
		printf( '<h2>%s</h2><form method="post" action="options.php">', esc_html__( 'Posts', 'podstead' ) );
		settings_fields( Podstead_Settings_Page::PAGE );
		echo '<table class="form-table" role="presentation"><tbody>';
		foreach ( self::fields() as $name => $field ) {
			self::open_row( $name, $field['label'] );
			printf( '<select id="podstead-%1$s" name="podstead_settings[%1$s]">', esc_attr( $name ) );
			foreach ( $field['options'] as $value => $label ) {
				printf( '<option value="%s"%s>%s</option>', esc_attr( $value ), selected( $settings[ $name ], $value, false ), esc_html( $label ) );
			}
			printf( '</select><p class="description">%s</p></td></tr>', esc_html( $field['help'] ) );
		}
		self::open_row( 'author', __( 'Author', 'podstead' ) );
		wp_dropdown_users(
			array(
				'name'              => 'podstead_settings[author]',
				'id'                => 'podstead-author',
				'selected'          => $settings['author'],
				'capability'        => array( 'edit_posts' ),
				'option_none_value' => '0',
				'show_option_none'  => __( 'Whoever connected the site', 'podstead' ),
			)
		);
		echo '</td></tr>';
		self::open_row( 'category', __( 'Category', 'podstead' ) );
		wp_dropdown_categories(
			array(
				'name'              => 'podstead_settings[category]',
				'id'                => 'podstead-category',
				'selected'          => $settings['category'],
				'hide_empty'        => false,
				'show_option_none'  => __( 'None', 'podstead' ),
				'option_none_value' => '0',
			)
		);
		echo '</td></tr>';
		self::open_row( 'delete_posts', __( 'When the plugin is deleted', 'podstead' ) );
		printf(
			'<label><input type="checkbox" id="podstead-delete_posts" name="podstead_settings[delete_posts]" value="1"%s> %s</label></td></tr></tbody></table>',
			checked( $settings['delete_posts'], true, false ),
			esc_html__( 'Delete all posts of episodes, too', 'podstead' )
		);
		submit_button();
		echo '</form>';
	}

	/**
	 * The settings that are choices.
	 *
	 * @return array<string, array{label: string, help: string, options: array<string, string>}>
	 */
	private static function fields() {
		return array(
			'post_type'  => array(
				'label'   => __( 'Post new episodes as', 'podstead' ),
				'help'    => __( 'Posts that exist keep their type.', 'podstead' ),
				'options' => array(
					Podstead_Post_Type::NAME => __( 'Episodes, with their own menu and archive', 'podstead' ),
					'post'                   => __( 'Ordinary posts', 'podstead' ),
				),
			),
			'new_status' => array(
				'label'   => __( 'New episodes are', 'podstead' ),
				'help'    => __( 'A draft waits until you publish it.', 'podstead' ),
				'options' => array(
					'publish' => __( 'Published', 'podstead' ),
					'draft'   => __( 'Drafts', 'podstead' ),
				),
			),
			'winner'     => array(
				'label'   => __( 'If both sides edit a field', 'podstead' ),
				'help'    => __( 'Fields that nobody edits here always follow the show.', 'podstead' ),
				'options' => array(
					'site' => __( 'Keep the edit of this site', 'podstead' ),
					'show' => __( 'Take the text of the show', 'podstead' ),
				),
			),
			'withdrawn'  => array(
				'label'   => __( 'If an episode is unpublished', 'podstead' ),
				'help'    => __( 'If it is published again, its own post comes back.', 'podstead' ),
				'options' => array(
					'trash' => __( 'Move its post to the trash', 'podstead' ),
					'draft' => __( 'Make its post a draft', 'podstead' ),
					'keep'  => __( 'Keep its post', 'podstead' ),
				),
			),
		);
	}

	/**
	 * Begins a row of the table.
	 *
	 * @param string $name  Of the setting.
	 * @param string $label For people.
	 */
	private static function open_row( $name, $label ) {
		printf( '<tr><th scope="row"><label for="podstead-%s">%s</label></th><td>', esc_attr( $name ), esc_html( $label ) );
	}

	/**
	 * Begins the form of an action.
	 *
	 * @param string $action Name.
	 */
	private static function open_form( $action ) {
		printf( '<form method="post" action="%1$s" class="podstead-action podstead-%2$s"><input type="hidden" name="action" value="podstead_%2$s">', esc_url( admin_url( 'admin-post.php' ) ), esc_attr( $action ) );
		wp_nonce_field( "podstead_$action" );
	}

	/**
	 * A time in the site's own format.
	 *
	 * @param int $time Unix seconds.
	 * @return string
	 */
	private static function moment( $time ) {
		return 0 === $time ? __( 'never', 'podstead' ) : wp_date( get_option( 'date_format' ) . ' ' . get_option( 'time_format' ), $time );
	}
}
