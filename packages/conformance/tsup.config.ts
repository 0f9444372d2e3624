import { defineConfig } from 'tsup';

export default defineConfig({
  entry: { main: 'src/main.ts' },
  format: ['esm'],
  platform: 'node',
  target: 'node22',
  // Keep imports as they are in the sources.
  removeNodeProtocol: false,
  // A stack shows the names of functions, and the map would be larger than the command.
  sourcemap: false,
  clean: true,
});
