<?php
/**
 * Writes the post of an episode.
 *
 * @package Podstead
 */

/**
 * Brings one post in line with one change. The plugin remembers a hash of every field as it stored it:
 * a field with another hash was edited here. Before it writes, it also remembers what it is going to
 * write, for the case that it is killed in between.
 */
class Podstead_Post_Writer {

	/**
	 * The fields whose edits are recognized; the artwork is another one.
	 */
	const FIELDS  = array( 'post_title', 'post_excerpt', 'post_content', 'post_name', 'post_date' );
	const ARTWORK = 'artwork';

	/**
	 * The episode's row.
	 *
	 * @var object
	 */
	private $row;

	/**
	 * Makes a writer.
	 *
	 * @param object $row Of the table of episodes.
	 */
	public function __construct( $row ) {
		$this->row = $row;
	}

	/**
	 * Applies a change.
	 *
	 * @param Podstead_Change $change A change.
	 * @return true|WP_Error
	 */
	public function apply( $change ) {
		$post = null === $this->row->post_id ? null : get_post( $this->row->post_id );
		if ( null !== $change->reason ) {
			return $this->withdraw( $post, $change->reason );
		}
		if ( null === $post && $this->was_deleted_here() ) {
			$this->save( array( 'content_hash' => $change->content_hash ) );
			return true;
		}
		$post = null === $post ? $this->create() : $post;
		return is_wp_error( $post ) ? $post : $this->update( $post, $change );
	}

	/**
	 * Names the fields of a post that were edited here.
	 *
	 * @param WP_Post $post A post.
	 * @return string[]
	 */
	public function list_edited( $post ) {
		return array_values(
			array_filter(
				array_merge( self::FIELDS, array( self::ARTWORK ) ),
				function ( $name ) use ( $post ) {
					// The trash changes the slug itself.
					$is_ours = 'post_name' === $name && 'trash' === $post->post_status;
					$known   = array( $this->row->written[ $name ] ?? '', $this->row->written['next'][ $name ] ?? '' );
					return ! $is_ours && ! in_array( self::hash_of( $post, $name ), $known, true );
				}
			)
		);
	}

	/**
	 * Makes the episode's post. It is an automatic draft, which nobody sees and WordPress deletes after a
	 * week, until the table says that it is the episode's post. So a second run, and a run that is
	 * killed, never leave a second post behind.
	 *
	 * @return WP_Post|WP_Error
	 */
	private function create() {
		$post_id = wp_insert_post(
			array(
				'post_status' => 'auto-draft',
				'post_type'   => Podstead_Settings::get( 'post_type' ),
				'post_title'  => __( 'Episode', 'podstead' ),
				'post_author' => $this->author(),
			),
			true
		);
		if ( is_wp_error( $post_id ) ) {
			return $post_id;
		}
		if ( ! Podstead_Episodes::claim( $this->row->episode_id, $post_id, $this->row->post_id ) ) {
			wp_delete_post( $post_id, true );
			return new WP_Error( 'podstead_busy', __( 'Another run writes this episode.', 'podstead' ) );
		}
		$this->row->post_id = $post_id;
		return get_post( $post_id );
	}

	/**
	 * Writes all fields of a new post, and those of an older one that the settings allow.
	 *
	 * @param WP_Post         $post   The episode's post.
	 * @param Podstead_Change $change An upsert.
	 * @return true|WP_Error
	 */
	private function update( $post, $change ) {
		$is_new  = 'auto-draft' === $post->post_status;
		$is_back = null !== $this->row->withdrawn_status;
		if ( 'trash' === $post->post_status && $is_back ) {
			wp_untrash_post( $post->ID );
			$post = get_post( $post->ID );
		}
		$is_ours = $is_new || array() === $this->row->written || 'show' === Podstead_Settings::get( 'winner' );
		$kept    = $is_ours ? array() : $this->list_edited( $post );
		$fields  = $this->fields_to_write( $post, $change, $kept );
		if ( $is_new ) {
			$fields['post_status'] = Podstead_Settings::get( 'new_status' );
		} elseif ( $is_back && 'draft' === $post->post_status ) {
			$fields['post_status'] = $this->row->withdrawn_status;
		}
		$this->announce( $fields );
		$this->write_meta( $post->ID, $change->episode );
		$artwork = in_array( self::ARTWORK, $kept, true ) ? true : Podstead_Artwork::set( $post->ID, Podstead_Post_Fields::artwork( $change->episode ) );
		$result  = wp_update_post(
			wp_slash(
				$fields + array(
					'ID'        => $post->ID,
					'edit_date' => true,
				)
			),
			true
		);
		if ( is_wp_error( $result ) ) {
			return $result;
		}
		if ( $is_new ) {
			$this->set_category( $post->ID );
		}
		$this->remember( get_post( $post->ID ), $kept, $change->content_hash, is_wp_error( $artwork ) );
		return $artwork;
	}

	/**
	 * The fields that are written: those that were not edited here.
	 *
	 * @param WP_Post         $post   The episode's post.
	 * @param Podstead_Change $change An upsert.
	 * @param string[]        $kept   Fields that were edited here.
	 * @return array<string, string>
	 */
	private function fields_to_write( $post, $change, array $kept ) {
		$leave = 'trash' === $post->post_status ? array_merge( $kept, array( 'post_name' ) ) : $kept;
		$leave = in_array( 'post_date', $kept, true ) ? array_merge( $leave, array( 'post_date_gmt' ) ) : $leave;
		return array_diff_key( Podstead_Post_Fields::of( $change->episode ), array_flip( $leave ) );
	}

	/**
	 * Stores what is going to be written.
	 *
	 * @param array<string, string> $fields Of the post.
	 */
	private function announce( array $fields ) {
		$next    = array_intersect_key( $fields, array_flip( self::FIELDS ) );
		$written = array( 'next' => array_map( array( __CLASS__, 'hash_text' ), $next ) ) + $this->row->written;
		Podstead_Episodes::save( $this->row->episode_id, array( 'written' => wp_json_encode( $written ) ) );
	}

	/**
	 * Stores what the post reflects now, and how its fields look.
	 *
	 * @param WP_Post  $post         As it was stored.
	 * @param string[] $kept         Fields that were not written.
	 * @param string   $content_hash Of the change.
	 * @param bool     $failed       Whether the artwork is missing.
	 */
	private function remember( $post, array $kept, $content_hash, $failed ) {
		$written = $this->row->written;
		unset( $written['next'] );
		foreach ( array_diff( array_merge( self::FIELDS, array( self::ARTWORK ) ), $kept ) as $name ) {
			if ( 'post_name' !== $name || 'trash' !== $post->post_status ) {
				$written[ $name ] = self::hash_of( $post, $name );
			}
		}
		$this->save(
			array(
				'content_hash'     => $content_hash,
				'written'          => wp_json_encode( $written ),
				'withdrawn_status' => null,
				'failed'           => $failed ? 1 : 0,
			)
		);
	}

	/**
	 * Withdraws the post of an episode that is not public any more; keeps it if only the show is gone
	 * from this site.
	 *
	 * @param WP_Post|null $post   The episode's post.
	 * @param string       $reason Of the tombstone.
	 * @return true
	 */
	private function withdraw( $post, $reason ) {
		$is_gone = in_array( $reason, array( 'unpublished', 'deleted' ), true );
		if ( null !== $post && $is_gone ) {
			// A post whose show was removed before is nobody's but the site's.
			Podstead_Withdrawal::withdraw( $this->row, $post, null === $this->row->reason );
		}
		$this->save( array( 'reason' => $reason ) );
		return true;
	}

	/**
	 * Whether somebody deleted the post here. One that the plugin had withdrawn may have left the trash
	 * by itself; and one that was never finished is made again.
	 *
	 * @return bool
	 */
	private function was_deleted_here() {
		return null !== $this->row->post_id && null !== $this->row->content_hash && null === $this->row->withdrawn_status;
	}

	/**
	 * Changes the row after an attempt that succeeded.
	 *
	 * @param array<string, mixed> $columns New values.
	 */
	private function save( array $columns ) {
		$defaults = array(
			'reason'     => null,
			'attempts'   => 0,
			'failed'     => 0,
			'report_due' => 1,
		);
		Podstead_Episodes::save( $this->row->episode_id, $columns + $defaults );
	}

	/**
	 * Writes the post meta.
	 *
	 * @param int                  $post_id The post.
	 * @param array<string, mixed> $episode Of the change.
	 */
	private function write_meta( $post_id, array $episode ) {
		update_post_meta( $post_id, Podstead_Episodes::META, $this->row->episode_id );
		update_post_meta( $post_id, Podstead_Player::META, wp_slash( Podstead_Post_Fields::meta( $episode ) ) );
	}

	/**
	 * Puts a new post in the category of the settings.
	 *
	 * @param int $post_id The post.
	 */
	private function set_category( $post_id ) {
		$category = Podstead_Settings::get( 'category' );
		if ( $category > 0 && term_exists( $category, 'category' ) ) {
			wp_set_object_terms( $post_id, $category, 'category' );
		}
	}

	/**
	 * Who appears as the author of new posts.
	 *
	 * @return int
	 */
	private function author() {
		$chosen     = Podstead_Settings::get( 'author' );
		$connection = Podstead_Connection::find();
		return $chosen > 0 && false !== get_userdata( $chosen ) ? $chosen : (int) ( $connection['user_id'] ?? 0 );
	}

	/**
	 * The hash of a field as it is stored. Line ends and blanks around do not count: editors change
	 * them.
	 *
	 * @param WP_Post $post A post.
	 * @param string  $name One of FIELDS, or ARTWORK.
	 * @return string
	 */
	private static function hash_of( $post, $name ) {
		$value = self::ARTWORK === $name ? (string) get_post_thumbnail_id( $post ) : $post->$name;
		return self::hash_text( $value );
	}

	/**
	 * The hash of a text.
	 *
	 * @param string $value The text.
	 * @return string
	 */
	private static function hash_text( $value ) {
		return substr( hash( 'sha256', trim( str_replace( "\r\n", "\n", $value ) ) ), 0, 32 );
	}
}
