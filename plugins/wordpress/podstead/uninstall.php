<?php
/**
 * Removes what the plugin has stored. Posts stay, unless the settings say otherwise.
 *
 * @package Podstead
 */

defined( 'WP_UNINSTALL_PLUGIN' ) || exit;

require_once __DIR__ . '/podstead.php';

Podstead_Uninstaller::run();
