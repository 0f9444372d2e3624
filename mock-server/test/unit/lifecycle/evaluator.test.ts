import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { type EvaluatorOptions, startEvaluator } from '../../../src/lifecycle/evaluator.ts';
import { importProfiles } from '../../../src/lifecycle/import-profiles.ts';
import { NO_ADDRESSES } from '../../../src/network/own-addresses.ts';
import { createChangeStream } from '../../../src/runtime/change-stream.ts';
import { createLogger } from '../../../src/runtime/logger.ts';
import { connectionRulesOf } from '../../../src/start/check-config.ts';
import { sourceRulesOf } from '../../../src/start/source-rules.ts';
import { lockLifecycle } from '../../../src/storage/changes/profiles.ts';
import { openSqlite } from '../../../src/storage/sqlite/open.ts';
import { saveLifecycle } from '../../../src/storage/statements/profiles/lifecycles.ts';
import { createWorld, START } from '../../support/delivery/world.ts';

const LOCAL = connectionRulesOf({ strict: false, allowNetworks: [] });

/** Workspaces that each have a file as data source. A sync and an evaluation of each are due. */
async function createDueWorkspaces(location: string, count: number) {
  const world = await createWorld(await openSqlite(':memory:'));
  const { storage, ids, clock, organizationId } = world;
  const at = { created_at: START, updated_at: START };
  const unset = { image: null, timezone: null, week_starts_on: null };
  for (let made = 0; made < count; made++) {
    const id = ids.next('workspace');
    const workspace = { id, organization_id: organizationId, slug: id, name: 'W', ...unset, ...at };
    await storage.write((queries) => queries.insertInto('workspaces').values(workspace).execute());
    await importProfiles({ storage, ids, clock }, id, [Buffer.from('{"externalId":"a"}\n')], 'ndjson');
    const source = JSON.stringify({ kind: 'ndjson', location, schedule: '1h' });
    await storage.write(async (queries) => {
      const row = await lockLifecycle(queries, id);
      await saveLifecycle(queries, { ...row, source, next_sync_at: START, next_evaluation_at: START });
    });
  }
  return world;
}

/** Starts an evaluator that reads sources on this machine. */
async function startTestEvaluator(
  { storage, clock, ids }: Awaited<ReturnType<typeof createDueWorkspaces>>,
  options: Pick<EvaluatorOptions, 'evaluates' | 'accept' | 'metrics'>,
) {
  const sourceRules = sourceRulesOf(LOCAL, NO_ADDRESSES);
  const logger = createLogger('silent');
  return await startEvaluator({
    storage,
    clock,
    ids,
    logger,
    changes: createChangeStream(false),
    wakeDelivery() {},
    checkSameData: () => async () => {},
    followOtherIds: async () => {},
    sourceRules,
    ...options,
  });
}

test('a sync stores nothing after its lease was lost, and then reads the source again', async () => {
  const lines = (name: string) =>
    Array.from({ length: 500 }, (_, index) => `{"externalId":"${name}${index}"}\n`).join('');
  const opened = Promise.withResolvers<ServerResponse>();
  let reads = 0;
  const source = createServer((_request, response) => {
    if (++reads > 1) return void response.end('{"externalId":"again"}');
    response.write(lines('before'));
    opened.resolve(response);
  });
  await once(source.listen(0, '127.0.0.1'), 'listening');
  const location = `http://127.0.0.1:${(source.address() as AddressInfo).port}/`;
  const world = await createDueWorkspaces(location, 1);
  const { storage } = world;
  let lost = 0;
  const evaluator = await startTestEvaluator(world, {
    evaluates: false,
    accept: (work) => storage.write(work),
    metrics: { lifecycle: { evaluated() {}, synced() {}, imported() {}, leaseLost: () => lost++ } },
  });
  const [workspace] = await storage.read((queries) => queries.selectFrom('lifecycles').selectAll().execute());
  const synced = evaluator.checkedBy(async () => {}).sync(workspace?.workspace_id ?? '');
  const response = await opened.promise;
  const externalIds = () =>
    storage.read(async (queries) => {
      const rows = await queries.selectFrom('profiles').select('external_id').execute();
      return [...new Set(rows.map(({ external_id }) => external_id?.replace(/\d+$/, '')))].sort();
    });
  await vi.waitFor(async () => expect(await externalIds()).toEqual(['a', 'before']));
  // While this node was frozen, another node claimed the workspace, and has released it.
  await storage.write((queries) =>
    queries.updateTable('lifecycles').set({ lease_token: 1, lease_until: null }).execute(),
  );
  response.end(lines('after'));
  expect(await synced).toMatchObject({ upserted: 1, error: null });
  expect([await externalIds(), reads, lost]).toEqual([['a', 'again', 'before'], 2, 1]);
  await evaluator.close();
  await storage[Symbol.asyncDispose]();
  source.close();
});

test('an evaluation after a sync leaves the slot of the sync, and takes one of the four slots of evaluations', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'svc-evaluator-'));
  const location = join(folder, 'some.ndjson');
  writeFileSync(location, '{"externalId":"a"}\n');
  const world = await createDueWorkspaces(location, 12);
  const { storage } = world;
  const gate = Promise.withResolvers<void>();
  let synced = 0;
  let finishing = 0;
  const evaluator = await startTestEvaluator(world, {
    evaluates: true,
    // An evaluation ends with its event.
    async accept(work) {
      finishing++;
      await gate.promise;
      return await storage.write(work);
    },
    metrics: { lifecycle: { evaluated() {}, synced: () => synced++, imported() {}, leaseLost() {} } },
  });
  await vi.waitFor(() => expect(synced).toBe(12));
  expect(finishing).toBe(4);
  expect(evaluator.inFlight()).toBe(4);
  gate.resolve();
  expect(await evaluator.whenIdle(new AbortController().signal)).toBe(true);
  expect(evaluator.evaluationsMade()).toBe(12);
  await evaluator.close();
  await storage[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true });
});

test('nobody waits for due work on a node that closes', async () => {
  const world = await createDueWorkspaces('/none', 1);
  const { storage } = world;
  const evaluator = await startTestEvaluator(world, {
    evaluates: false,
    accept: (work) => storage.write(work),
    metrics: { lifecycle: { evaluated() {}, synced() {}, imported() {}, leaseLost() {} } },
  });
  const idle = evaluator.whenIdle(new AbortController().signal);
  await evaluator.close();
  expect(await idle).toBe(false);
  await storage[Symbol.asyncDispose]();
});

test('an evaluation ends although profiles are imported all the time', async () => {
  const { storage, ids, clock, ...world } = await createDueWorkspaces('unused', 1);
  const [workspace] = await storage.read((queries) => queries.selectFrom('lifecycles').selectAll().execute());
  const workspaceId = workspace?.workspace_id ?? '';
  let imports = 0;
  async function importMore() {
    if (imports++ === 5) throw new Error('The evaluation does not end.');
    const lines = Array.from({ length: 500 }, (_, n) => `{"externalId":"p${imports}-${n}"}\n`);
    await importProfiles({ storage, ids, clock }, workspaceId, [Buffer.from(lines.join(''))], 'ndjson');
  }
  await importMore();
  const evaluator = await startTestEvaluator(
    {
      ids,
      clock,
      ...world,
      storage: {
        ...storage,
        async write(work, options) {
          if (options?.isBulk) await importMore();
          return await storage.write(work, options);
        },
      },
    },
    {
      evaluates: true,
      accept: (work) => storage.write(work),
      metrics: { lifecycle: { evaluated() {}, synced() {}, imported() {}, leaseLost() {} } },
    },
  );
  const { evaluation } = await evaluator.checkedBy(async () => {}).evaluate(workspaceId);
  expect(evaluation).toMatchObject({ profiles: 501, changed: 501 });
  await evaluator.close();
  await storage[Symbol.asyncDispose]();
});
