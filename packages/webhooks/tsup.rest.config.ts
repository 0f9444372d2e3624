import { defineConfig } from 'tsup';

const hashing = { 'hashing/node': 'src/hashing/node.ts', 'hashing/portable': 'src/hashing/portable.ts' };

/** What is built after the library, and put next to it. */
export default defineConfig([
  // The two ways of hashing. They are not bundled, because bundling turns `const` into `var`. The bundler of a program
  // knows that a `const` never changes, and drops the code for the other way.
  {
    entry: hashing,
    tsconfig: 'tsconfig.build.json',
    format: ['esm', 'cjs'],
    target: 'es2022',
    bundle: false,
    splitting: false,
    sourcemap: true,
    clean: false,
  },
  // What explains a failed signature, and what signs in tests. They are apart from the library, so that the index needs no file
  // that both share.
  {
    entry: { diagnose: 'src/diagnose.ts', testing: 'src/testing.ts' },
    tsconfig: 'tsconfig.build.json',
    format: ['esm', 'cjs'],
    target: 'es2022',
    splitting: false,
    sourcemap: true,
    clean: false,
    external: ['#hashing', '#index'],
  },
  // Builds the command as a single file, which Node runs.
  {
    entry: { cli: 'src/cli/main.ts' },
    tsconfig: 'tsconfig.build.json',
    format: ['esm'],
    target: 'es2022',
    sourcemap: true,
    clean: false,
    external: ['#hashing'],
  },
]);
