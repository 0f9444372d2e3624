import { defineConfig } from 'tsup';

const hashing = { 'hashing/node': 'src/hashing/node.ts', 'hashing/portable': 'src/hashing/portable.ts' };

/** After the library is built, builds the remaining entries into the library's folder. */
export default defineConfig([
  // The two versions of the hashing code. These files are not bundled, because bundling turns `const` into `var`. A
  // program's bundler sees that a `const` in the chosen version never changes, and drops the code for the other
  // version.
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
  // `diagnose` explains a failed signature, and `testing` signs messages in tests. These entries are built separately
  // from the library, because a common build would move shared code out of the index into another file.
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
