import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../src/run.ts';
import { must } from './npm.ts';

/** The version that each package gets from the changesets that are open. A package without a change is not in it. */
export async function nextVersions(scratch: string): Promise<ReadonlyMap<string, string>> {
  const output = join(scratch, 'release-plan.json');
  await must([join(root, 'node_modules/@changesets/cli/bin.js'), 'status', '--output', output], root);
  const { releases } = JSON.parse(readFileSync(output, 'utf8')) as { releases: { name: string; newVersion: string }[] };
  return new Map(releases.map(({ name, newVersion }) => [name, newVersion]));
}
