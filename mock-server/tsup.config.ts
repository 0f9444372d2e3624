import { defineConfig } from 'tsup';

export default defineConfig({
  entry: { main: 'src/main.ts', index: 'src/index.ts', 'engine-thread': 'src/storage/sqlite/engine-thread.ts' },
  format: ['esm'],
  platform: 'node',
  target: 'node22',
  // The contract is private: it goes into the build, code and types.
  noExternal: [/^@svc\/contract/],
  dts: { entry: { index: 'src/index.ts' } },
  splitting: true,
  // node:sqlite exists under its full name only.
  removeNodeProtocol: false,
  sourcemap: true,
  clean: true,
  tsconfig: 'tsconfig.build.json',
});
