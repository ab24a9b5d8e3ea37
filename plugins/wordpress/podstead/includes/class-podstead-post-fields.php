<?php
/**
 * What a post shows of its episode.
 *
 * @package Podstead
 */

/**
 * Makes the fields of a post. The show's team may write anything: all of it is made safe here, whoever
 * runs the sync.
 */
class Podstead_Post_Fields {

	/**
	 * The post fields of an episode.
	 *
	 * @param array<string, mixed> $episode Of a change.
	 * @return array<string, string> Names as WordPress has them; not slashed.
	 */
	public static function of( array $episode ) {
		$date_gmt = gmdate( 'Y-m-d H:i:s', strtotime( $episode['published_at'] ) );
		$fields   = array(
			'post_title'    => self::plain( self::text( $episode, 'title' ) ),
			'post_excerpt'  => self::excerpt( $episode ),
			'post_content'  => self::content( $episode ),
			'post_date'     => get_date_from_gmt( $date_gmt ),
			'post_date_gmt' => $date_gmt,
		);
		$slug     = sanitize_title( self::text( $episode, 'slug' ) );
		return '' === $slug ? $fields : $fields + array( 'post_name' => $slug );
	}

	/**
	 * What the player and other plugins need, as post meta.
	 *
	 * @param array<string, mixed> $episode Of a change.
	 * @return array<string, mixed>
	 */
	public static function meta( array $episode ) {
		$links      = isset( $episode['links'] ) && is_array( $episode['links'] ) ? $episode['links'] : array();
		$transcript = isset( $episode['transcript'] ) && is_array( $episode['transcript'] ) ? $episode['transcript'] : array();
		return array(
			'embed'      => self::address( $links, 'embed' ),
			'listen'     => self::address( $links, 'listen' ),
			'transcript' => self::address( $transcript, 'url' ),
			'season'     => isset( $episode['season_number'] ) ? absint( $episode['season_number'] ) : null,
			'number'     => isset( $episode['episode_number'] ) ? absint( $episode['episode_number'] ) : null,
			'type'       => sanitize_key( self::text( $episode, 'episode_type' ) ),
			'explicit'   => ! empty( $episode['explicit'] ),
			'available'  => true,
		);
	}

	/**
	 * The address of the artwork, or an empty string.
	 *
	 * @param array<string, mixed> $episode Of a change.
	 * @return string
	 */
	public static function artwork( array $episode ) {
		return isset( $episode['artwork'] ) && is_array( $episode['artwork'] ) ? self::address( $episode['artwork'], 'url' ) : '';
	}

	/**
	 * The subtitle, or the beginning of the description.
	 *
	 * @param array<string, mixed> $episode Of a change.
	 * @return string
	 */
	private static function excerpt( array $episode ) {
		$subtitle = trim( self::text( $episode, 'subtitle' ) );
		return '' === $subtitle ? wp_trim_words( self::plain( self::text( $episode, 'description' ) ), 55 ) : self::plain( $subtitle );
	}

	/**
	 * The player and the show notes, as blocks.
	 *
	 * @param array<string, mixed> $episode Of a change.
	 * @return string
	 */
	private static function content( array $episode ) {
		$notes = self::safe_html( self::text( $episode, 'show_notes_html' ) );
		if ( '' === $notes ) {
			$notes = trim( wpautop( self::plain( self::text( $episode, 'description' ) ) ) );
		}
		$player = '<!-- wp:podstead/player /-->';
		return '' === $notes ? $player : "$player\n\n<!-- wp:html -->\n$notes\n<!-- /wp:html -->";
	}

	/**
	 * Show notes that can do no more than an author's text: no scripts, no blocks (they are comments),
	 * no shortcodes.
	 *
	 * @param string $html As it came.
	 * @return string
	 */
	private static function safe_html( $html ) {
		// Blocks are written as comments, and could do what the notes must not.
		$html = str_replace( '<!--', '&lt;!--', wp_check_invalid_utf8( $html, true ) );
		$html = str_replace( '<!--', '&lt;!--', wp_kses_post( $html ) );
		return trim( str_replace( array( '[', ']' ), array( '&#91;', '&#93;' ), $html ) );
	}

	/**
	 * Plain text as HTML, without shortcodes.
	 *
	 * @param string $text As it came.
	 * @return string
	 */
	private static function plain( $text ) {
		$html = htmlspecialchars( $text, ENT_NOQUOTES | ENT_SUBSTITUTE, 'UTF-8' );
		return trim( str_replace( array( '[', ']' ), array( '&#91;', '&#93;' ), $html ) );
	}

	/**
	 * A text of the episode; an empty one where it has none.
	 *
	 * @param array<string, mixed> $data Part of an episode.
	 * @param string               $name A key.
	 * @return string
	 */
	private static function text( array $data, $name ) {
		return isset( $data[ $name ] ) && is_string( $data[ $name ] ) ? $data[ $name ] : '';
	}

	/**
	 * A web address of the episode; an empty string where it has none.
	 *
	 * @param array<string, mixed> $data Part of an episode.
	 * @param string               $name A key.
	 * @return string
	 */
	private static function address( array $data, $name ) {
		return esc_url_raw( self::text( $data, $name ), array( 'https', 'http' ) );
	}
}
