import { svelte } from '@sveltejs/vite-plugin-svelte';
import { defineConfig } from 'vite';

export default defineConfig({
  plugins: [svelte()],
  // Where your agent is while you develop.
  server: { proxy: { '/api': 'http://localhost:8080' } },
});
