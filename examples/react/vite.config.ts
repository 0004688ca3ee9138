import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

export default defineConfig({
  plugins: [react()],
  // Where your agent is while you develop.
  server: { proxy: { '/api': 'http://localhost:8080' } },
});
