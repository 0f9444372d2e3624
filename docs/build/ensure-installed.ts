import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { REMEDY, SAYS_WHY } from '../../tools/installed.ts';
import { docs } from '../.vitepress/navigation.ts';

// `npm run docs` runs this script first. The script installs the packages that build the site, unless the versions in
// the lock file are already installed.

const lock = readFileSync(join(docs, 'package-lock.json'), 'utf8');
/** A copy of the lock file, written after the last installation. */
const stamp = join(docs, 'node_modules/.installed.json');

if (!existsSync(stamp) || readFileSync(stamp, 'utf8') !== lock) {
  console.error('Installing the packages that build the documentation site (once) …');
  const { status } = spawnSync('npm', ['ci', '--no-audit', '--no-fund', SAYS_WHY], {
    cwd: docs,
    stdio: ['ignore', 2, 2],
  });
  if (status === 0) writeFileSync(stamp, lock);
  else {
    console.error(`Cannot install what the site needs; npm says why above. ${REMEDY} npm run docs:install`);
    process.exitCode = status ?? 1;
  }
}
