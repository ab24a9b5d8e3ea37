<?php
/**
 * A persistent object cache, as sites with Redis or Memcached have one: what one request stores, all
 * others see, and each keeps for itself what it has read. Tests copy this file into `wp-content`.
 */

class File_Object_Cache {

	private $own = array();
	private $local_groups = array();
	private $folder;

	public function __construct() {
		$this->folder = WP_CONTENT_DIR . '/object-cache/';
		wp_mkdir_p( $this->folder );
	}

	private function name( $key, $group ) {
		return md5( ( $group ?: 'default' ) . ':' . $key );
	}

	public function add_local( $groups ) {
		$this->local_groups = array_merge( $this->local_groups, (array) $groups );
	}

	public function get( $key, $group, $force, &$found ) {
		$name = $this->name( $key, $group );
		if ( ! array_key_exists( $name, $this->own ) || ( $force && ! in_array( $group, $this->local_groups, true ) ) ) {
			$stored = in_array( $group, $this->local_groups, true ) ? false : @file_get_contents( $this->folder . $name );
			if ( false === $stored ) {
				unset( $this->own[ $name ] );
				$found = false;
				return false;
			}
			list( $expires, $value ) = unserialize( $stored );
			if ( 0 !== $expires && $expires < time() ) {
				$found = false;
				return false;
			}
			$this->own[ $name ] = $value;
		}
		$found = true;
		return is_object( $this->own[ $name ] ) ? clone $this->own[ $name ] : $this->own[ $name ];
	}

	public function set( $key, $value, $group, $seconds ) {
		$name               = $this->name( $key, $group );
		$this->own[ $name ] = is_object( $value ) ? clone $value : $value;
		if ( ! in_array( $group, $this->local_groups, true ) ) {
			$new = $this->folder . uniqid( 'new', true );
			file_put_contents( $new, serialize( array( $seconds > 0 ? time() + $seconds : 0, $value ) ) );
			rename( $new, $this->folder . $name );
		}
		return true;
	}

	public function delete( $key, $group ) {
		$name  = $this->name( $key, $group );
		$known = array_key_exists( $name, $this->own );
		unset( $this->own[ $name ] );
		return @unlink( $this->folder . $name ) || $known;
	}

	public function flush_runtime() {
		$this->own = array();
		return true;
	}

	public function flush() {
		array_map( 'unlink', glob( $this->folder . '*' ) );
		return $this->flush_runtime();
	}
}

function wp_cache_init() {
	$GLOBALS['wp_object_cache'] = new File_Object_Cache();
}
function wp_cache_get( $key, $group = '', $force = false, &$found = null ) {
	return $GLOBALS['wp_object_cache']->get( $key, $group, $force, $found );
}
function wp_cache_get_multiple( $keys, $group = '', $force = false ) {
	$values = array();
	foreach ( $keys as $key ) {
		$values[ $key ] = wp_cache_get( $key, $group, $force );
	}
	return $values;
}
function wp_cache_set( $key, $value, $group = '', $seconds = 0 ) {
	return $GLOBALS['wp_object_cache']->set( $key, $value, $group, $seconds );
}
function wp_cache_set_multiple( $values, $group = '', $seconds = 0 ) {
	foreach ( $values as $key => $value ) {
		wp_cache_set( $key, $value, $group, $seconds );
	}
	return array_fill_keys( array_keys( $values ), true );
}
function wp_cache_add( $key, $value, $group = '', $seconds = 0 ) {
	if ( wp_suspend_cache_addition() ) {
		return false;
	}
	wp_cache_get( $key, $group, true, $found );
	return ! $found && wp_cache_set( $key, $value, $group, $seconds );
}
function wp_cache_add_multiple( $values, $group = '', $seconds = 0 ) {
	$added = array();
	foreach ( $values as $key => $value ) {
		$added[ $key ] = wp_cache_add( $key, $value, $group, $seconds );
	}
	return $added;
}
function wp_cache_replace( $key, $value, $group = '', $seconds = 0 ) {
	wp_cache_get( $key, $group, true, $found );
	return $found && wp_cache_set( $key, $value, $group, $seconds );
}
function wp_cache_incr( $key, $by = 1, $group = '' ) {
	$value = wp_cache_get( $key, $group, true, $found );
	if ( ! $found ) {
		return false;
	}
	wp_cache_set( $key, max( 0, (int) $value + $by ), $group );
	return max( 0, (int) $value + $by );
}
function wp_cache_decr( $key, $by = 1, $group = '' ) {
	return wp_cache_incr( $key, -$by, $group );
}
function wp_cache_delete( $key, $group = '' ) {
	return $GLOBALS['wp_object_cache']->delete( $key, $group );
}
function wp_cache_delete_multiple( $keys, $group = '' ) {
	$deleted = array();
	foreach ( $keys as $key ) {
		$deleted[ $key ] = wp_cache_delete( $key, $group );
	}
	return $deleted;
}
function wp_cache_flush() {
	return $GLOBALS['wp_object_cache']->flush();
}
function wp_cache_flush_runtime() {
	return $GLOBALS['wp_object_cache']->flush_runtime();
}
function wp_cache_supports( $feature ) {
	return 'flush_runtime' === $feature;
}
function wp_cache_add_global_groups( $groups ) {}
function wp_cache_add_non_persistent_groups( $groups ) {
	$GLOBALS['wp_object_cache']->add_local( $groups );
}
function wp_cache_switch_to_blog( $id ) {}
function wp_cache_close() {
	return true;
}
