import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { FORGETFUL, startCluster } from '@svc/testing/postgres';
import { IN_ORDER } from './ends-in-order.ts';
import { checkLifecycle, type Found } from './lifecycle-check.ts';
import { parseCount, runCommand } from './run-command.ts';
import { API_KEY, seedOf, WORKSPACE_ID } from './seed.ts';
import { type ServerProcess, startServerProcess } from './server-process.ts';

const help = `Kills a server repeatedly while it imports and evaluates profiles, and checks what is stored.

  npm run crash:lifecycle                             50 kills on SQLite
  npm run crash:lifecycle -- --kills 50 --postgres    on a new PostgreSQL

After each kill, an evaluation and its event both exist or neither does, no profile is half written, and the next
evaluation covers all profiles.
`;

/** Enough for several batches, so that most kills interrupt a batch. */
const PROFILES = 3_000;
/** A kill comes at a random time within the first second. */
const KILL_WITHIN_MS = 1_000;

await runCommand({ name: 'crash:lifecycle', help, read: readOptions, run: main });

function readOptions() {
  const { values } = parseArgs({
    options: {
      kills: { type: 'string', default: '50' },
      postgres: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  return { kills: parseCount('kills', values.kills), postgres: values.postgres, help: values.help };
}

async function main({ kills, postgres }: { kills: number; postgres: boolean }): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'crash-'));
  const cluster = postgres ? await startCluster({ ...FORGETFUL, ...IN_ORDER }) : undefined;
  const seed = join(folder, 'seed.json');
  await writeFile(seed, JSON.stringify(seedOf(() => 'http://127.0.0.1:9/', 1)));
  const options = [...(cluster ? ['--database', cluster.url] : ['--data', folder]), '--seed', seed];
  const found: Found = { problems: [], evaluations: 0, cutImports: 0, cutEvaluations: 0 };
  try {
    for (let kill = 1; kill <= kills; kill++) {
      await killAtWork(options, kill, found);
      await using server = await startServerProcess(options);
      await checkLifecycle({ url: server.url, workspaceId: WORKSPACE_ID, apiKey: API_KEY, profiles: PROFILES }, found);
    }
  } finally {
    await cluster?.[Symbol.asyncDispose]();
    await rm(folder, { recursive: true, force: true });
  }
  console.log(
    `${kills} kills: ${found.cutImports} during an import, ${found.cutEvaluations} during an evaluation; ` +
      `${found.evaluations} evaluations, each with its event; ${found.problems.length} problems`,
  );
  for (const problem of found.problems) console.log(`  ${problem}`);
  if (found.problems.length > 0) process.exitCode = 1;
}

async function killAtWork(options: readonly string[], version: number, found: Found): Promise<void> {
  await using server = await startServerProcess(options);
  const base = `/_control/workspaces/${WORKSPACE_ID}`;
  let importing = true;
  let evaluating = true;
  const work = [
    send(server, 'PUT', `${base}/profiles`, linesOf(version)).then(() => {
      importing = false;
    }),
    send(server, 'POST', `${base}/evaluate`)
      .then(() => send(server, 'POST', `${base}/evaluate`))
      .then(() => {
        evaluating = false;
      }),
  ];
  await wait(Math.random() * KILL_WITHIN_MS);
  server.process.kill('SIGKILL');
  await Promise.allSettled(work);
  if (importing) found.cutImports++;
  if (evaluating) found.cutEvaluations++;
}

/** Every field contains the version, so a half-written profile shows two versions. The day changes too. */
function linesOf(version: number): string {
  const day = new Date(Date.now() - (version % 40) * 86_400_000).toISOString().slice(0, 10);
  return Array.from({ length: PROFILES }, (_, n) =>
    JSON.stringify({
      externalId: `p${n}`,
      name: `v${version}`,
      email: `v${version}@a.test`,
      attributes: { version },
      activeDays: [day],
    }),
  ).join('\n');
}

async function send({ url }: ServerProcess, method: string, path: string, lines?: string): Promise<void> {
  const headers = lines === undefined ? {} : { 'content-type': 'application/x-ndjson' };
  const response = await fetch(url + path, { method, headers, body: lines ?? null });
  await response.text();
}
