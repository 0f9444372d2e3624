import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '@svc/testing';
import { type Manifest, PUBLISHED } from './manifests.ts';
import { must } from './npm.ts';

/** Applies the open changesets to a copy in `scratch`. */
export async function nextVersions(scratch: string): Promise<ReadonlyMap<string, string>> {
  const copy = join(scratch, 'next');
  cpSync(join(root, '.changeset'), join(copy, '.changeset'), { recursive: true });
  const config = JSON.parse(readFileSync(join(root, '.changeset/config.json'), 'utf8'));
  // Turn the changelogs off, because only the versions are needed.
  writeFileSync(join(copy, '.changeset/config.json'), JSON.stringify({ ...config, changelog: false }));
  writeFileSync(join(copy, 'package.json'), JSON.stringify({ name: 'copy', private: true, workspaces: PUBLISHED }));
  writeFileSync(join(copy, 'package-lock.json'), '{ "lockfileVersion": 3, "packages": {} }');
  for (const folder of PUBLISHED) {
    mkdirSync(join(copy, folder), { recursive: true });
    cpSync(join(root, folder, 'package.json'), join(copy, folder, 'package.json'));
  }
  await must([join(root, 'node_modules/@changesets/cli/bin.js'), 'version'], copy);
  const manifests = PUBLISHED.map(
    (folder) => JSON.parse(readFileSync(join(copy, folder, 'package.json'), 'utf8')) as Manifest,
  );
  return new Map(manifests.map(({ name, version }) => [name, version]));
}
