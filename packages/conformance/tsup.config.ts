import { defineConfig } from 'tsup';

export default defineConfig({
  entry: { main: 'src/main.ts' },
  format: ['esm'],
  platform: 'node',
  target: 'node22',
  // Keep the prefix `node:` in imports.
  removeNodeProtocol: false,
  // Write no source map: stack traces show function names even without a map, and the map would be larger than the
  // command.
  sourcemap: false,
  clean: true,
});
