import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** What the package is tried in, from npm, in these versions. Too heavy (0.8 GB) to come with every install. */
const TOOLS = {
  'typescript-5.9': 'npm:typescript@5.9.3',
  'typescript-6': 'npm:typescript@6.0.3',
  'typescript-7': 'npm:typescript@7.0.2',
  'node-22': 'npm:node@22.23.3',
  'node-24': 'npm:node@24.21.0',
  'node-26': 'npm:node@26.9.0',
  bun: '1.4.5',
  deno: '2.9.6',
  miniflare: '4.20260730.0',
  'playwright-core': '1.65.1',
};

export type Tool = keyof typeof TOOLS;

const home = join(import.meta.dirname, '../../../../node_modules/.cache/svc-client-toolbox');

/** Where a tool is, or undefined where the toolbox is not installed (`npm run toolbox --workspace @svc/client`). */
export function findTool(tool: Tool): string | undefined {
  const path = join(home, 'node_modules', tool);
  return existsSync(path) ? path : undefined;
}

/** Installs what is missing. */
export function installToolbox(): void {
  const manifest = `${JSON.stringify({ private: true, dependencies: TOOLS }, null, 2)}\n`;
  const path = join(home, 'package.json');
  if (
    existsSync(path) &&
    readFileSync(path, 'utf8') === manifest &&
    existsSync(join(home, 'node_modules/.package-lock.json'))
  )
    return;
  mkdirSync(home, { recursive: true });
  writeFileSync(path, manifest);
  execFileSync('npm', ['install', '--no-audit', '--no-fund', '--no-package-lock'], { cwd: home, stdio: 'inherit' });
}

if (process.argv[1] === import.meta.filename) installToolbox();
