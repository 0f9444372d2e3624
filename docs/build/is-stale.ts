import { existsSync, globSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { docs } from '../.vitepress/navigation.ts';
import { site } from './check-links.ts';

/** The sources of the site: its pages, its theme, and the code that the pages describe. */
const SOURCES = [
  'README.md',
  'docs/*.{md,json}',
  'docs/{guides,silences,pictures,build}/**/*',
  'docs/.vitepress/*.ts',
  'docs/.vitepress/theme/*',
  'docs/public/*.svg',
  '.changeset/*.md',
  'packages/{contract,client,webhooks}/{src,test/documented}/**/*',
  'packages/{client,webhooks}/{README.md,typedoc.json}',
  'mock-server/src/**/*',
  'mock-server/{README.md,typedoc.json}',
];

/** Whether a source has changed since the site was built. */
export function isStale(): boolean {
  // The build writes this file last, so the file's time is the time of the build.
  const last = join(site, 'llms-full.txt');
  if (!existsSync(last)) return true;
  const builtAt = statSync(last).mtimeMs;
  const root = join(docs, '..');
  return globSync(SOURCES, { cwd: root }).some((file) => statSync(join(root, file)).mtimeMs > builtAt);
}
