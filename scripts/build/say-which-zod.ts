import { readFileSync, writeFileSync } from 'node:fs';

// Runs in a package's folder after its build. If the installed zod is too old, `require` of the schemas fails with an
// error that names only a path inside zod. This script makes the error name the versions that work. An ES module cannot
// change the error, because its imports are resolved before any of its code runs.

const { name } = JSON.parse(readFileSync('package.json', 'utf8')) as { name: string };
const built = readFileSync('dist/schemas.cjs', 'utf8');
const message = `${name}/schemas requires zod 3.25 or 4. Run: npm install zod@^3.25, or zod@4`;
const load = /\brequire\((['"])zod\/v4\1\)/;
if (!load.test(built)) throw new Error('dist/schemas.cjs does not require zod/v4.');
// Keep the code on one line, so that the source map stays correct.
writeFileSync(
  'dist/schemas.cjs',
  built.replace(
    load,
    (call) => `(() => { try { return ${call}; } catch (cause) { throw new Error('${message}', { cause }); } })()`,
  ),
);
