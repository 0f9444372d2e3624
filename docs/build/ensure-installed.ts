import { spawnSync } from 'node:child_process';
import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { docs } from '../.vitepress/navigation.ts';

// Runs before `npm run docs`. Installs the packages that build the site, unless those of the lock file are already
// installed.

const lock = join(docs, 'package-lock.json');
const installed = join(docs, 'node_modules/.package-lock.json');

if (!existsSync(installed) || statSync(installed).mtimeMs < statSync(lock).mtimeMs) {
  const { status } = spawnSync('npm', ['ci', '--no-audit', '--no-fund'], { cwd: docs, stdio: 'inherit' });
  process.exitCode = status ?? 1;
}
