import { defineConfig } from 'tsup';

export default defineConfig({
  entry: {
    main: 'src/main.ts',
    index: 'src/index.ts',
    testing: 'src/testing/index.ts',
    vitest: 'src/vitest/index.ts',
    msw: 'src/msw/index.ts',
    'engine-thread': 'src/storage/sqlite/engine-thread.ts',
  },
  format: ['esm'],
  platform: 'node',
  target: 'node22',
  // The contract is private: it goes into the build, code and types.
  noExternal: [/^@svc\/contract/],
  dts: {
    entry: {
      index: 'src/index.ts',
      testing: 'src/testing/index.ts',
      vitest: 'src/vitest/index.ts',
      msw: 'src/msw/index.ts',
    },
  },
  splitting: true,
  // Imports stay as the sources have them.
  removeNodeProtocol: false,
  sourcemap: true,
  clean: true,
  tsconfig: 'tsconfig.build.json',
});
