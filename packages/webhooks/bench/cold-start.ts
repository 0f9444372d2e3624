import { spawnSync } from 'node:child_process';
import { quantile } from './interleave.ts';
import type { Figure } from './targets.ts';

const RUNS = 11;
const PACKAGES = ['@svc/webhooks', 'standardwebhooks', 'svix', '@octokit/webhooks', 'stripe', 'openai'];

/**
 * Measures how long the first import and the first require take in a new process. Returns the figures that have a
 * target.
 */
export function printColdStarts(): Figure[] {
  const imported = printColdStart('Cold import', (name) => `await import('${name}')`);
  const required = printColdStart(
    'Cold require (CommonJS)',
    (name) => `process.getBuiltinModule('node:module').createRequire('${import.meta.url}')('${name}')`,
  );
  return [
    { figure: 'cold import, ms', value: imported, atMost: 4 },
    { figure: 'cold require, ms', value: required, atMost: 4 },
  ];
}

function printColdStart(title: string, load: (name: string) => string): number {
  const times = new Map<string, number[]>(PACKAGES.map((name) => [name, []]));
  for (let run = 0; run < RUNS; run++) for (const name of PACKAGES) times.get(name)?.push(loadTime(load(name)));
  console.log(title);
  const own = quantile(times.get('@svc/webhooks') ?? [], 0.25);
  for (const [name, all] of times) {
    const ms = quantile(all, 0.25);
    console.log(`  ${name.padEnd(42)}${ms.toFixed(1).padStart(10)} ms${(ms / own).toFixed(2).padStart(8)} ×`);
  }
  console.log();
  return own;
}

function loadTime(load: string): number {
  const script = `const s = performance.now(); ${load}; console.log(performance.now() - s)`;
  const { stdout } = spawnSync(process.execPath, ['--input-type=module', '--eval', script], {
    encoding: 'utf8',
    cwd: import.meta.dirname,
  });
  return Number(stdout);
}
