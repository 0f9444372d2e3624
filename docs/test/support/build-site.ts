import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { docs } from '../../.vitepress/navigation.ts';
import { site } from '../../build/check-links.ts';

/** Whether there is a site to look at. */
export const isBuilt = (): boolean => existsSync(join(site, 'llms-full.txt'));

/** Whether `npm run docs:install` has installed what builds the site. */
export const canBuildSite = existsSync(join(docs, 'node_modules/vitepress'));

/** Builds the site once for all tests, unless it is up to date. */
export default function buildSite(): void {
  if (!canBuildSite) {
    console.warn('The tests of the documentation site are skipped: run `npm run docs:install` first.');
    return;
  }
  const { status } = spawnSync(process.execPath, [join(docs, 'build/main.ts'), '--if-stale'], {
    stdio: ['ignore', 2, 2],
  });
  if (status !== 0) throw new Error('The site could not be built; see above.');
}
