import node from '@astrojs/node';
import { defineConfig } from 'astro/config';

export default defineConfig({
  output: 'server',
  adapter: node({ mode: 'standalone' }),
  // Where your agent is while you develop.
  vite: { server: { proxy: { '/api': 'http://localhost:8080' } } },
});
