import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { printHelpIfAsked } from '../../../scripts/usage.ts';
import { root } from '../src/run.ts';
import { reportOn } from './api-report.ts';
import { PUBLISHED, readManifest } from './manifests.ts';

printHelpIfAsked(`
Compares the public names of each package with its api-report.md, and looks for names without a docstring.

  npm run check:api                fails if they differ
  npm run check:api -- --write     writes the reports
`);

const { values } = parseArgs({ options: { write: { type: 'boolean' } } });

/** The committed report of a package, or an empty text. */
function committed(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}

let failed = false;
for (const folder of PUBLISHED) {
  const { text, undocumented } = reportOn(folder, readManifest(folder));
  const path = join(root, folder, 'api-report.md');
  if (values.write) writeFileSync(path, text);
  else if (committed(path) !== text) {
    failed = true;
    console.error(`${folder}/api-report.md differs from what the package exports.`);
    console.error('  If the change is meant, run `npm run check:api -- --write`, and look at the difference.');
  }
  for (const name of undocumented) console.error(`${name} has no docstring.`);
  if (undocumented.length) failed = true;
}
process.exitCode = failed ? 1 : 0;
