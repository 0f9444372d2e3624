// Makes the same deliveries with one node and with several nodes. Each node is a separate process, and all nodes share
// one PostgreSQL database. Measures what it costs to divide the work among nodes, and how much database time a delivery
// needs. The database time limits how many nodes a fleet can have. NODES sets the sizes of the fleets, for example to
// 1,2. Each fleet is compared with the first fleet. Exits with code 1 if a node made no deliveries.
import { randomBytes } from 'node:crypto';
import { startReceiver } from '@svc/testing';
import { MasterKey } from '../../src/domain/master-key.ts';
import { startContestant } from './contestant.ts';
import type { NodeOrder, NodeReport } from './contestants/fleet-node.ts';
import { startBenchPostgres } from './databases.ts';
import { createDeliveries } from './delivery-jobs.ts';
import { median } from './median.ts';
import { createPostgresTime } from './postgres-time.ts';

const DELIVERIES = Number(process.env['DELIVERIES'] ?? 20_000);
const ENDPOINTS = Number(process.env['ENDPOINTS'] ?? 64);
const ROUNDS = Number(process.env['ROUNDS'] ?? 3);
const NODES = (process.env['NODES'] ?? '1,2,4').split(',').map(Number);

const receiver = await startReceiver();
await using processes = new AsyncDisposableStack();
const nodes = Array.from({ length: Math.max(...NODES) }, () => {
  return processes.use(startContestant<NodeOrder, NodeReport>('fleet-node.ts'));
});
await using postgres = await startBenchPostgres();

/**
 * Makes all deliveries with `count` nodes. The measurement lasts from the start signal until the last result is stored.
 */
async function runFleet(count: number, databaseUrl: string) {
  const masterKey = randomBytes(32);
  const load = { databaseUrl, receiverUrl: receiver.url, endpoints: ENDPOINTS, deliveries: DELIVERIES };
  await using deliveries = await createDeliveries(load, new MasterKey(masterKey));
  const fleet = nodes.slice(0, count);
  const order = { task: 'connect', databaseUrl, masterKey: masterKey.toString('hex') } as const;
  await Promise.all(fleet.map((node) => node.run(order)));
  const databaseTime = await createPostgresTime(databaseUrl);

  const databaseBefore = databaseTime?.();
  const startedAt = Date.now();
  const reports = await Promise.all(fleet.map((node) => node.run({ task: 'deliver' })));
  const databaseAfter = databaseTime?.();
  await deliveries.checkAll();
  const sum = (of: (report: NodeReport) => number) => reports.reduce((total, report) => total + of(report), 0);
  return {
    rate: (DELIVERIES / (Math.max(...reports.map(({ lastWrittenAt }) => lastWrittenAt)) - startedAt)) * 1_000,
    made: reports.map(({ made }) => made),
    perWrite: DELIVERIES / sum(({ writes }) => writes),
    nodeMicros: sum(({ cpuMicros }) => cpuMicros) / DELIVERIES,
    databaseMicros:
      databaseBefore === undefined || databaseAfter === undefined
        ? undefined
        : (databaseAfter - databaseBefore) / DELIVERIES,
  };
}

const fleets = NODES.map((count) => ({ count, ratios: [] as number[], databaseMicros: [] as number[] }));
const problems: string[] = [];
// Do not report the first round, because V8 compiles the code during this round.
for (let round = 0; round <= ROUNDS; round++) {
  let first: number | undefined;
  for (const { count, ratios, databaseMicros } of fleets) {
    const run = await postgres.inNew((databaseUrl) => runFleet(count, databaseUrl));
    first ??= run.rate;
    if (round === 0) continue;
    ratios.push(run.rate / first);
    if (run.databaseMicros !== undefined) databaseMicros.push(run.databaseMicros);
    console.log(
      `${nodesOf(count)}: ${Math.round(run.rate)}/s, ${(run.rate / first).toFixed(2)} of the rate of ${NODES[0]}; ` +
        `shares ${run.made.map((made) => `${((100 * made) / DELIVERIES).toFixed(0)} %`).join(', ')}; ` +
        `${run.perWrite.toFixed(0)} attempts in each write; processor time per delivery: ` +
        `${run.nodeMicros.toFixed(0)} µs on the nodes, ${run.databaseMicros?.toFixed(0) ?? '?'} µs in the database`,
    );
    if (run.made.includes(0)) problems.push(`${nodesOf(count)}: some nodes made no deliveries: ${run.made.join(', ')}`);
  }
}
for (const { count, ratios, databaseMicros } of fleets) {
  const perCore = databaseMicros.length > 0 ? Math.round(1e6 / median(databaseMicros)) : undefined;
  console.log(
    `${nodesOf(count)}: ${median(ratios).toFixed(2)} of the rate of ${NODES[0]}, median round; ` +
      (perCore === undefined
        ? 'this system does not report the processor time of the database'
        : `${perCore}/s for each core of the database`),
  );
}
receiver.stop();
for (const problem of problems) console.error(`WRONG: ${problem}`);
process.exitCode = problems.length === 0 ? 0 : 1;

function nodesOf(count: number): string {
  return count === 1 ? '1 node' : `${count} nodes`;
}
