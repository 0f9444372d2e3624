import { defineConfig } from 'tsup';

/** The command: one file for Node, beside the library and built after it. */
export default defineConfig({
  entry: { cli: 'src/cli/main.ts' },
  tsconfig: 'tsconfig.build.json',
  format: ['esm'],
  target: 'es2022',
  clean: false,
  external: ['#hashing'],
});
