import { defineConfig } from 'vite';
import { compressedScalar } from './build/compressed-scalar.ts';
import { licensed } from './build/licensed.ts';

export default defineConfig({
  // URLs are relative to the page's `<base>`, which the server sets.
  base: './',
  experimental: {
    // The API reference at /docs has no `<base>`, because a `<base>` would make its anchors lead to another page.
    renderBuiltUrl: (name, { hostType, hostId }) =>
      hostType === 'html' && hostId === 'docs.html' ? `dashboard/${name}` : { relative: true },
  },
  plugins: [compressedScalar(), licensed()],
  build: {
    target: 'es2023',
    outDir: 'dist',
    assetsDir: 'assets',
    rolldownOptions: {
      input: ['index.html', 'docs.html'],
      // Hashes cannot be compressed, and each script contains the names of the scripts that it imports. So shorter
      // hashes save about 300 B.
      output: { chunkFileNames: 'assets/[name]-[hash:7].js' },
    },
    // Write each asset as a file, because the Content-Security-Policy allows neither inline code nor data URLs.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    sourcemap: false,
    reportCompressedSize: false,
  },
});
