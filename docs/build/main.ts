import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { printHelpIfAsked } from '../../scripts/usage.ts';
import { docs } from '../.vitepress/navigation.ts';
import { checkLinks } from './check-links.ts';
import { groupExports } from './exports-pages.ts';
import { isStale } from './is-stale.ts';
import { writeLlmsFiles } from './llms.ts';
import { checkNavigation } from './navigation-covers.ts';
import { writeRedirects } from './redirects.ts';
import { writeReference } from './reference/write.ts';

printHelpIfAsked(`
Builds the documentation site into docs/.vitepress/dist, and checks its links.

  npm run docs
  npm run docs -- --if-stale   only if a page or the described code has changed
  npm run docs -- --dev        serves the site while you write
`);

if (!process.argv.includes('--if-stale') || isStale()) await build();
checkLinks();

async function build(): Promise<void> {
  writeReference();
  checkNavigation();
  run('typedoc/bin/typedoc', '--options', 'typedoc.json', '--treatWarningsAsErrors', '--logLevel', 'Warn');
  groupExports();
  if (process.argv.includes('--dev')) run('vitepress/bin/vitepress.js', 'dev', '.');
  else {
    run('vitepress/bin/vitepress.js', 'build', '.');
    writeRedirects();
    writeLlmsFiles();
  }
}

function run(script: string, ...argv: string[]): void {
  const file = join(docs, 'node_modules', script);
  const { status } = spawnSync(process.execPath, [file, ...argv], { cwd: docs, stdio: 'inherit' });
  if (status !== 0) process.exit(status ?? 1);
}
