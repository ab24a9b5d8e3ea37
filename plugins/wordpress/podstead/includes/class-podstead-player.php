<?php
/**
 * The player.
 *
 * @package Podstead
 */

/**
 * The block `podstead/player`, and oEmbed for listen pages. The block has no attributes: it plays the
 * episode of its post, so nobody can put another address into a frame.
 */
class Podstead_Player {

	/**
	 * Post meta: what the player needs, as Podstead_Post_Fields::meta() makes it.
	 */
	const META   = '_podstead_episode';
	const HEIGHT = 180;

	/**
	 * Runs on `init`.
	 */
	public static function register() {
		wp_register_script(
			'podstead-player-block',
			plugins_url( 'assets/player-block.js', PODSTEAD_FILE ),
			array( 'wp-blocks', 'wp-block-editor', 'wp-data', 'wp-dom-ready', 'wp-element', 'wp-notices', 'wp-server-side-render' ),
			PODSTEAD_VERSION,
			true
		);
		wp_register_style( 'podstead-player', plugins_url( 'assets/player.css', PODSTEAD_FILE ), array(), PODSTEAD_VERSION );
		register_block_type(
			'podstead/player',
			array(
				'api_version'     => 2,
				'title'           => __( 'Podcast player', 'podstead' ),
				'description'     => __( 'Plays the episode of this post.', 'podstead' ),
				'category'        => 'embed',
				'icon'            => 'microphone',
				'uses_context'    => array( 'postId' ),
				'supports'        => array(
					'html'     => false,
					'multiple' => false,
				),
				'editor_script'   => 'podstead-player-block',
				'style'           => 'podstead-player',
				'render_callback' => array( __CLASS__, 'render' ),
			)
		);
		$connection = Podstead_Connection::find();
		if ( null !== $connection ) {
			wp_oembed_add_provider( $connection['service'] . '/listen/*', $connection['service'] . '/v1/oembed' );
			add_filter( 'oembed_dataparse', array( __CLASS__, 'keep_frame' ), 20, 3 );
		}
	}

	/**
	 * Draws the block.
	 *
	 * @param array<string, mixed> $attributes None.
	 * @param string               $content    Nothing.
	 * @param WP_Block|null        $block      With its context.
	 * @return string
	 */
	public static function render( $attributes, $content, $block = null ) {
		$post_id = $block->context['postId'] ?? get_the_ID();
		$episode = $post_id ? get_post_meta( $post_id, self::META, true ) : null;
		if ( ! is_array( $episode ) || empty( $episode['embed'] ) || empty( $episode['available'] ) ) {
			return '';
		}
		$listen = empty( $episode['listen'] ) ? $episode['embed'] : $episode['listen'];
		if ( is_feed() ) {
			return sprintf( '<p><a href="%s">%s</a></p>', esc_url( $listen ), esc_html__( 'Listen to this episode', 'podstead' ) );
		}
		/* translators: %s: title of an episode. */
		$title = sprintf( __( 'Player: %s', 'podstead' ), wp_strip_all_tags( get_the_title( $post_id ) ) );
		$frame = sprintf(
			'<iframe src="%s" title="%s" height="%d" loading="lazy" allow="autoplay; clipboard-write" referrerpolicy="strict-origin-when-cross-origin"></iframe>',
			esc_url( $episode['embed'] ),
			esc_attr( html_entity_decode( $title, ENT_QUOTES, 'UTF-8' ) ),
			self::HEIGHT
		);
		$link  = empty( $episode['transcript'] ) ? '' : sprintf(
			'<p class="podstead-player-links"><a href="%s">%s</a></p>',
			esc_url( $episode['transcript'] ),
			esc_html__( 'Transcript', 'podstead' )
		);
		return '<div ' . get_block_wrapper_attributes( array( 'class' => 'podstead-player' ) ) . ">$frame$link</div>";
	}

	/**
	 * WordPress trusts providers that are registered. Of this one, too, it keeps the frame alone.
	 *
	 * @param string $html What goes into the page.
	 * @param object $data The response.
	 * @param string $url  Of the listen page.
	 * @return string
	 */
	public static function keep_frame( $html, $data, $url ) {
		$connection = Podstead_Connection::find();
		if ( null === $connection || ! str_starts_with( $url, $connection['service'] . '/listen/' ) ) {
			return $html;
		}
		$frame = array_fill_keys( array( 'src', 'title', 'width', 'height', 'frameborder', 'scrolling', 'loading', 'allow' ), true );
		return is_string( $html ) ? wp_kses( $html, array( 'iframe' => $frame ), array( 'https', 'http' ) ) : $html;
	}
}
