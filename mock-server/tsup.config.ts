import { cpSync } from 'node:fs';
import { defineConfig } from 'tsup';
import { BUNDLED } from './build/bundled.ts';

export default defineConfig({
  entry: {
    main: 'src/main.ts',
    index: 'src/index.ts',
    control: 'src/control/index.ts',
    testing: 'src/testing/index.ts',
    vitest: 'src/vitest/index.ts',
    msw: 'src/msw/index.ts',
    'engine-thread': 'src/storage/sqlite/engine-thread.ts',
  },
  format: ['esm'],
  platform: 'node',
  target: 'node22',
  // The contract is private, so the build contains its code and types. The build also contains the libraries: loading
  // their hundreds of small files would take half of the time that a test file needs to import this package.
  noExternal: [/^@svc\/contract/, new RegExp(`^(${BUNDLED.join('|')})(/|$)`)],
  // The two optional peers, which package.json names only in `peerDependenciesMeta`.
  external: ['msw', 'vitest'],
  dts: {
    entry: {
      index: 'src/index.ts',
      control: 'src/control/index.ts',
      testing: 'src/testing/index.ts',
      vitest: 'src/vitest/index.ts',
      msw: 'src/msw/index.ts',
    },
  },
  splitting: true,
  // Keep the prefix `node:` of imports.
  removeNodeProtocol: false,
  // Nothing reads source maps at run time, and they would make up a third of the package.
  sourcemap: false,
  clean: true,
  // packages/dashboard builds the page first.
  async onSuccess() {
    for (const entry of ['testing', 'msw']) cpSync('src/require-es-module.cjs', `dist/${entry}.cjs`);
    cpSync('../packages/dashboard/dist', 'dist/dashboard', { recursive: true });
  },
  tsconfig: 'tsconfig.build.json',
});
