<?php
/**
 * Plugin Name: Agent Chat
 * Description: A launcher in the corner of each page, for the agent at ENDPOINT.
 * Version: 0.1.0
 * Requires at least: 6.3
 */

if (!defined('ABSPATH')) {
    exit;
}

/** Your agent, or a route of your own that keeps its key. */
const AGENT_CHAT_ENDPOINT = '/wp-json/my-shop/v1/chat';

add_action('wp_enqueue_scripts', function () {
    // Before the script: the nonce lets a REST route of yours know who is asking.
    $settings = [
        'endpoint' => AGENT_CHAT_ENDPOINT,
        'heading' => get_bloginfo('name'),
        'imageHosts' => 'self',
        'headers' => ['X-WP-Nonce' => wp_create_nonce('wp_rest')],
    ];
    wp_enqueue_script('agent-chat', plugins_url('dist/embed.js', __FILE__), [], null, [
        'strategy' => 'defer',
        'in_footer' => true,
    ]);
    wp_add_inline_script('agent-chat', 'window.agentChat = ' . wp_json_encode($settings), 'before');
});
