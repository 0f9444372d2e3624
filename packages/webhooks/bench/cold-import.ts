import { spawnSync } from 'node:child_process';
import { quantile } from './interleave.ts';

const RUNS = 11;
const PACKAGES = ['@svc/webhooks', 'standardwebhooks', 'svix', '@octokit/webhooks', 'stripe', 'openai'];

/** The time that the first import takes in a new process. */
export function printColdImports(): void {
  const times = new Map<string, number[]>(PACKAGES.map((name) => [name, []]));
  for (let run = 0; run < RUNS; run++) for (const name of PACKAGES) times.get(name)?.push(importTime(name));
  console.log('Cold import');
  const own = quantile(times.get('@svc/webhooks') ?? [], 0.25);
  for (const [name, all] of times) {
    const ms = quantile(all, 0.25);
    console.log(`  ${name.padEnd(42)}${ms.toFixed(1).padStart(10)} ms${(ms / own).toFixed(2).padStart(8)} ×`);
  }
  console.log();
}

function importTime(name: string): number {
  const script = `const s = performance.now(); await import('${name}'); console.log(performance.now() - s)`;
  const { stdout } = spawnSync(process.execPath, ['--input-type=module', '--eval', script], {
    encoding: 'utf8',
    cwd: import.meta.dirname,
  });
  return Number(stdout);
}
