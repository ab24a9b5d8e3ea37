<?php
/**
 * What the edit screen says.
 *
 * @package Podstead
 */

/**
 * A notice and a box on the edit screen of an episode's post: where the content comes from, and what
 * happens to edits.
 */
class Podstead_Edit_Screen {

	/**
	 * Adds the hooks.
	 */
	public static function start() {
		add_action( 'add_meta_boxes', array( __CLASS__, 'add' ), 10, 2 );
		add_action( 'enqueue_block_editor_assets', array( __CLASS__, 'add_notice' ) );
	}

	/**
	 * Says the same above the block editor, whose sidebar may be closed.
	 */
	public static function add_notice() {
		$post = get_post();
		$row  = $post instanceof WP_Post ? Podstead_Episodes::find_by_post( $post->ID ) : null;
		if ( null !== $row ) {
			$text   = wp_json_encode( implode( ' ', self::sentences( $row ) ), JSON_HEX_TAG | JSON_HEX_AMP );
			$script = "wp.domReady( function () { wp.data.dispatch( 'core/notices' ).createInfoNotice( $text, { id: 'podstead' } ); } );";
			wp_add_inline_script( 'podstead-player-block', $script );
		}
	}

	/**
	 * Adds the box to posts of episodes.
	 *
	 * @param string $post_type Of the screen.
	 * @param mixed  $post      A post, or something else on other screens.
	 */
	public static function add( $post_type, $post ) {
		$row = $post instanceof WP_Post ? Podstead_Episodes::find_by_post( $post->ID ) : null;
		if ( null !== $row ) {
			add_meta_box( 'podstead', __( 'Podcast episode', 'podstead' ), array( __CLASS__, 'render' ), null, 'side', 'high', array( 'row' => $row ) );
		}
	}

	/**
	 * Draws the box.
	 *
	 * @param WP_Post              $post The post.
	 * @param array<string, mixed> $box  With the row.
	 */
	public static function render( $post, $box ) {
		$row = $box['args']['row'];
		foreach ( self::sentences( $row ) as $sentence ) {
			printf( '<p>%s</p>', esc_html( $sentence ) );
		}
		$edited = ( new Podstead_Post_Writer( $row ) )->list_edited( $post );
		if ( null === $row->reason && array() !== $edited ) {
			$names = array_intersect_key( self::field_names(), array_flip( $edited ) );
			printf( '<p><strong>%s</strong> %s</p>', esc_html__( 'Edited here:', 'podstead' ), esc_html( implode( ', ', $names ) ) );
		}
		$meta = get_post_meta( $post->ID, Podstead_Player::META, true );
		if ( is_array( $meta ) && ! empty( $meta['listen'] ) && ! empty( $meta['available'] ) ) {
			printf( '<p><a href="%s">%s</a></p>', esc_url( $meta['listen'] ), esc_html__( 'Episode page at the podcast service', 'podstead' ) );
		}
	}

	/**
	 * What is true of this post.
	 *
	 * @param object $row Of the table of episodes.
	 * @return string[]
	 */
	private static function sentences( $row ) {
		if ( 'show_removed' === $row->reason ) {
			return array( __( 'This site no longer follows the show. The post is yours: it is not updated any more.', 'podstead' ) );
		}
		if ( null !== $row->reason ) {
			return array( __( 'The episode is no longer public. If it is published again, this post is updated.', 'podstead' ) );
		}
		return array(
			__( 'This post shows an episode of your podcast and follows its changes.', 'podstead' ),
			'site' === Podstead_Settings::get( 'winner' )
				? __( 'What you edit here stays as you write it. The show then no longer changes that field.', 'podstead' )
				: __( 'The next change of the episode replaces what you edit here.', 'podstead' ),
		);
	}

	/**
	 * Names of the fields.
	 *
	 * @return array<string, string>
	 */
	private static function field_names() {
		return array(
			'post_title'                  => __( 'title', 'podstead' ),
			'post_excerpt'                => __( 'excerpt', 'podstead' ),
			'post_content'                => __( 'content', 'podstead' ),
			'post_name'                   => __( 'address', 'podstead' ),
			'post_date'                   => __( 'date', 'podstead' ),
			Podstead_Post_Writer::ARTWORK => __( 'featured image', 'podstead' ),
		);
	}
}
