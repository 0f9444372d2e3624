import { defineConfig } from 'vite';
import { compressedScalar } from './build/compressed-scalar.ts';
import { licensed } from './build/licensed.ts';

export default defineConfig({
  // Relative to the page's `<base>`, which the server sets.
  base: './',
  experimental: {
    // The API reference is at /docs and has no `<base>`: its anchors would lead there.
    renderBuiltUrl: (name, { hostType, hostId }) =>
      hostType === 'html' && hostId === 'docs.html' ? `dashboard/${name}` : { relative: true },
  },
  plugins: [compressedScalar(), licensed()],
  build: {
    target: 'es2023',
    outDir: 'dist',
    assetsDir: 'assets',
    rolldownOptions: { input: ['index.html', 'docs.html'] },
    // The Content-Security-Policy allows neither inline code nor data URLs.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    sourcemap: false,
    reportCompressedSize: false,
  },
});
