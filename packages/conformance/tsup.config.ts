import { defineConfig } from 'tsup';

export default defineConfig({
  entry: { main: 'src/main.ts' },
  format: ['esm'],
  platform: 'node',
  target: 'node22',
  // Keep the prefix `node:` in imports.
  removeNodeProtocol: false,
  // Write no source map: a stack trace shows the names of functions anyway, and a map would be larger than the command.
  sourcemap: false,
  clean: true,
});
