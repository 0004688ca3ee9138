import vue from '@vitejs/plugin-vue';
import { defineConfig } from 'vite';

export default defineConfig({
  // Vue has to know which tags are not components of its own.
  plugins: [vue({ template: { compilerOptions: { isCustomElement: (tag) => tag.startsWith('agent-chat') } } })],
  // Where your agent is while you develop.
  server: { proxy: { '/api': 'http://localhost:8080' } },
});
