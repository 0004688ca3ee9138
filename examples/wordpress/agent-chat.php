<?php
/**
 * Plugin Name: Agent Chat
 * Description: A launcher in the corner of each page, for the agent at `endpoint`.
 * Version: 0.1.0
 * Requires at least: 6.3
 */

if (!defined('ABSPATH')) {
    exit;
}

add_action('wp_enqueue_scripts', function () {
    $settings = [
        // A route of yours that keeps the agent's key, wherever this site lies; or the address of the agent.
        'endpoint' => rest_url('my-shop/v1/chat'),
        // WordPress keeps the name as HTML; here it is words.
        'heading' => wp_specialchars_decode(get_bloginfo('name'), ENT_QUOTES),
        'imageHosts' => 'self',
        // Lets the route know who is asking. An agent on another host is not to have it: leave it out there.
        'headers' => ['X-WP-Nonce' => wp_create_nonce('wp_rest')],
    ];
    wp_enqueue_script('agent-chat', plugins_url('dist/embed.js', __FILE__), [], null, [
        'strategy' => 'defer',
        'in_footer' => true,
    ]);
    // Before the script; and no name of a site can end the element that this stands in.
    wp_add_inline_script('agent-chat', 'window.agentChat = ' . wp_json_encode($settings, JSON_HEX_TAG), 'before');
});
