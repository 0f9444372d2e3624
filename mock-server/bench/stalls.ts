import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { startReceiver } from '@svc/testing';
import { printHelpIfAsked } from '../../scripts/usage.ts';
import { demo } from '../test/support/demo.ts';
import { LOADS, type Load } from './stalls/loads.ts';
import { measureWaits, type Waits } from './stalls/measure-waits.ts';
import { startServerOn } from './stalls/server.ts';

printHelpIfAsked(`
Measures how long GET /v1/me waits while other clients write, on SQLite, and how long it waits on an idle server. Both
measurements run at the same time, so that other work on the machine affects both of them.

  npm run bench -- stalls                                      all loads, each for SECONDS (20)
  npm run bench -- stalls changes large                     only these loads (all loads: changes, large, deliveries)
  npm run bench -- stalls --against ../before/mock-server   each load on another checkout, then on this checkout
`);

const SECONDS = Number(process.env['SECONDS'] ?? 20);
/** The wait before the measurement. During this wait, the code is compiled and the first connections are opened. */
const WARM_UP_MS = 3_000;
const TARGET_MS = 50;

const { values, positionals } = parseArgs({ allowPositionals: true, options: { against: { type: 'string' } } });
const loads = LOADS.filter(({ name }) => positionals.length === 0 || positionals.includes(name));
const checkouts = [...(values.against === undefined ? [] : [values.against]), join(import.meta.dirname, '..')];

const receiver = await startReceiver();
const idleFolder = mkdtempSync(join(tmpdir(), 'svc-stalls-'));
let isMet = true;
try {
  await using idle = await startServerOn(checkouts.at(-1) ?? '', idleFolder, []);
  for (const load of loads) {
    for (const checkout of checkouts) {
      const { waits, idleWaits, written } = await measure(load, checkout, idle.url);
      if (checkout === checkouts.at(-1)) isMet &&= waits.p999 < TARGET_MS;
      console.log(`${load.title}${values.against === undefined ? '' : ` (${checkout})`}`);
      console.log(`  ${Math.round(written / SECONDS).toLocaleString('en')} ${load.unit} a second`);
      console.log(`  GET /v1/me       ${shown(waits)}`);
      console.log(`  on an idle server ${shown(idleWaits)}`);
    }
  }
} finally {
  receiver.stop();
  rmSync(idleFolder, { recursive: true, force: true });
}
console.log(`Target: p99.9 under ${TARGET_MS} ms. ${isMet ? 'Reached.' : 'Not reached.'}`);

async function measure(load: Load, checkout: string, idleUrl: string) {
  const folder = mkdtempSync(join(tmpdir(), 'svc-stalls-'));
  try {
    await using server = await startServerOn(checkout, folder, load.serverOptions);
    const writing = await load.start(server.url, receiver.url);
    await sleep(WARM_UP_MS);
    const [waits, idleWaits] = await Promise.all([
      // These calls read the staging workspace. The load does not write to this workspace.
      measureWaits(server.url, demo.staging.key, SECONDS),
      measureWaits(idleUrl, demo.staging.key, SECONDS),
    ]);
    return { waits, idleWaits, written: await writing.stop() };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function shown({ p50, p99, p999, max, count }: Waits): string {
  const ms = (value: number) => `${value.toFixed(1)} ms`.padStart(9);
  return `p50 ${ms(p50)}  p99 ${ms(p99)}  p99.9 ${ms(p999)}  max ${ms(max)}  of ${count.toLocaleString('en')} calls`;
}
