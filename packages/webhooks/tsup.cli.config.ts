import { defineConfig } from 'tsup';

/** The command: a single file for Node, built after the library and put next to it. */
export default defineConfig({
  entry: { cli: 'src/cli/main.ts' },
  tsconfig: 'tsconfig.build.json',
  format: ['esm'],
  target: 'es2022',
  clean: false,
  external: ['#hashing'],
});
