import { defineConfig } from 'vite';

export default defineConfig({
  // Relative to the page's `<base>`, which the server sets.
  base: './',
  build: {
    target: 'es2023',
    outDir: 'dist',
    assetsDir: 'assets',
    // The Content-Security-Policy allows neither inline code nor data URLs.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    sourcemap: false,
    reportCompressedSize: false,
  },
});
