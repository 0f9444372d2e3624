import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { root } from '@svc/testing';
import { printHelpIfAsked } from '../usage.ts';
import { reportOn } from './api-report.ts';
import { PUBLISHED, readManifest } from './manifests.ts';

printHelpIfAsked(`
Compares the public names of each package with its api-report.md. Also looks for names without a docstring, and for
interfaces that a public name mentions although no package exports them.

  npm run check:api                fails if the names and a report differ
  npm run check:api -- --write     writes the reports
`);

const { values } = parseArgs({ options: { write: { type: 'boolean' } } });

function committed(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}

let failed = false;
// Skip packages that contain only a command, because such a package has no public names.
const LIBRARIES = PUBLISHED.filter((folder) => Object.keys(readManifest(folder).exports ?? {}).includes('.'));
const reports = LIBRARIES.map((folder) => ({ folder, ...reportOn(folder, readManifest(folder)) }));
const names = new Set(reports.flatMap((report) => [...report.names]));
for (const { folder, text, undocumented, mentioned } of reports) {
  const path = join(root, folder, 'api-report.md');
  if (values.write) writeFileSync(path, text);
  else if (committed(path) !== text) {
    failed = true;
    console.error(`${folder}/api-report.md differs from what the package exports.`);
    console.error('  If the change is intended, run `npm run check:api -- --write`, and look at the difference.');
  }
  for (const name of undocumented) console.error(`${name} has no docstring.`);
  const hidden = [...mentioned].filter(([name]) => !names.has(name));
  for (const [name, place] of hidden) console.error(`${place} mentions ${name}, which no package exports.`);
  if (undocumented.length || hidden.length) failed = true;
}
process.exitCode = failed ? 1 : 0;
