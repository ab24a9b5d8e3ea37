<?php
/**
 * The post type of episodes.
 *
 * @package Podstead
 */

/**
 * Registers `podstead_episode`. It stays registered when new episodes become ordinary posts, so that
 * older ones keep their addresses.
 */
class Podstead_Post_Type {

	const NAME = 'podstead_episode';

	/**
	 * Runs on `init`.
	 */
	public static function register() {
		register_post_type(
			self::NAME,
			array(
				'labels'        => array(
					'name'          => __( 'Episodes', 'podstead' ),
					'singular_name' => __( 'Episode', 'podstead' ),
					'edit_item'     => __( 'Edit Episode', 'podstead' ),
					'view_item'     => __( 'View Episode', 'podstead' ),
					'search_items'  => __( 'Search Episodes', 'podstead' ),
					'not_found'     => __( 'No episodes found.', 'podstead' ),
				),
				'public'        => true,
				'has_archive'   => 'episodes',
				'rewrite'       => array( 'slug' => 'episodes' ),
				'menu_icon'     => 'dashicons-microphone',
				'menu_position' => 5,
				'show_in_rest'  => true,
				'taxonomies'    => array( 'category', 'post_tag' ),
				'supports'      => array( 'title', 'editor', 'excerpt', 'thumbnail', 'author', 'comments', 'revisions' ),
			)
		);
		if ( get_option( 'podstead_flush_rules' ) ) {
			update_option( 'podstead_flush_rules', 0 );
			add_action( 'wp_loaded', 'flush_rewrite_rules' );
		}
	}
}
