import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { docs } from '../.vitepress/navigation.ts';

// Runs before `npm run docs`. Installs the packages that build the site, unless those of the lock file are already
// installed.

const lock = readFileSync(join(docs, 'package-lock.json'), 'utf8');
/** A copy of the lock file that was last installed. */
const stamp = join(docs, 'node_modules/.installed.json');

if (!existsSync(stamp) || readFileSync(stamp, 'utf8') !== lock) {
  console.error('Installing what builds the documentation site (once) …');
  const { status } = spawnSync('npm', ['ci', '--no-audit', '--no-fund'], { cwd: docs, stdio: ['ignore', 2, 2] });
  if (status === 0) writeFileSync(stamp, lock);
  else process.exitCode = status ?? 1;
}
