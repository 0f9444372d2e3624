import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '@svc/testing';

export const PUBLISHED = ['packages/client', 'packages/webhooks', 'mock-server', 'packages/conformance'] as const;

export interface Manifest {
  name: string;
  version: string;
  description?: string;
  license?: string;
  keywords?: string[];
  engines?: { node?: string };
  exports?: Record<string, unknown>;
  bin?: Record<string, string>;
  scripts?: Record<string, string>;
  dependencies?: Record<string, string>;
  repository?: { type?: string; url?: string; directory?: string };
  homepage?: string;
  bugs?: { url?: string; email?: string };
}

/** Reads the manifest of a package. `folder` is a path in this repository, such as `packages/client`. */
export function readManifest(folder: string): Manifest {
  return JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8')) as Manifest;
}

/** Returns the problems of a manifest. Each problem is a sentence. */
export function problemsOf(manifest: Manifest): string[] {
  const problems: string[] = [];
  for (const field of ['description', 'license'] as const) {
    if (!manifest[field]) problems.push(`${manifest.name}: "${field}" is missing.`);
  }
  if ((manifest.keywords?.length ?? 0) < 3) problems.push(`${manifest.name}: "keywords" needs at least three words.`);
  if (!manifest.engines?.node) problems.push(`${manifest.name}: "engines.node" is missing.`);
  if (!manifest.exports?.['./package.json']) problems.push(`${manifest.name}: "exports" lacks "./package.json".`);
  // Without this script, `npm pack` in a clone that has never run `npm run build` leaves out the type declarations.
  if (!manifest.scripts?.['prepack']?.includes('ensure-built.ts --declarations')) {
    problems.push(`${manifest.name}: "scripts.prepack" must build the package, with its declarations.`);
  }
  for (const [name, range] of Object.entries(manifest.dependencies ?? {})) {
    if (/^(?:file|link|workspace|git|https?):/.test(range)) {
      problems.push(`${manifest.name}: the dependency ${name} is "${range}", which nobody else can install.`);
    }
  }
  return problems;
}

/**
 * Returns the addresses that the owner must still fill in. These addresses belong in the root's `package.json`, and
 * each package repeats them. The address `bugs.email` is for reports of security problems.
 */
export function toFillIn(main: Manifest, packages: ReadonlyMap<string, Manifest>): string[] {
  const lines: string[] = [];
  for (const field of ['repository', 'homepage', 'bugs'] as const) {
    const value = main[field];
    if (!value) lines.push(`"${field}" in package.json, then in the package.json of each package`);
    for (const [folder, manifest] of packages) {
      const expected = field === 'repository' && value ? { ...main.repository, directory: folder } : value;
      if (value && JSON.stringify(manifest[field]) !== JSON.stringify(expected)) {
        lines.push(`"${field}" in ${folder}/package.json: ${JSON.stringify(expected)}`);
      }
    }
  }
  if (!main.bugs?.email) lines.push('"bugs.email" in package.json, for reports of security problems');
  return lines;
}
