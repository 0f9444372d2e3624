import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { type MockService, startMockService, type Tenant } from '@svc/mock-server/testing';
import { startProcess } from '@svc/testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { svcMock, svcMockInTerminal } from '../../src/svc-mock.ts';

let service: MockService;
let tenant: Tenant;
let folder: string;
/** The values of the placeholders in the commands below. */
let given: Record<string, string>;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'svc-people-'));
  service = await startMockService();
  tenant = await service.workspace();
  const receiver = await service.receiver({ path: '/' });
  const { endpoint } = JSON.parse((await run(['endpoints', 'create', receiver.url, '--json'])).stdout);
  const { event, deliveries } = await service.trigger('lifecycle.evaluated', { workspaceId: tenant.workspaceId });
  await service.waitForIdle();
  writeFileSync(join(folder, 'profiles.json'), JSON.stringify([{ externalId: 'a', activeDays: ['2026-01-01'] }]));
  given = {
    endpoint: endpoint.id,
    url: receiver.url,
    event: event.id,
    delivery: String(deliveries[0]?.id),
    folder,
    workspace: tenant.workspaceId,
    user: tenant.userId,
    token: tenant.accessToken,
    later: new Date(Date.now() + 2 * 86_400_000).toISOString(),
  };
});
afterAll(async () => {
  await service.close();
  rmSync(folder, { recursive: true });
});

const env = () => ({ SVC_API_KEY: tenant.apiKey });
const run = (argv: readonly string[]) => svcMock(service.url, argv, { env: env() });
const fill = (line: string) => line.split(' ').map((word) => word.replace(/\{(\w+)\}/, (_, name) => given[name] ?? ''));

/** What a person sees in a terminal with this number of columns. */
async function seen(line: string, columns: number) {
  const { status, screen } = await svcMockInTerminal(service.url, fill(line), columns, { env: env() });
  return { status, screen, text: stripVTControlCharacters(screen).trimEnd() };
}

/** Commands that show a table. The order matters, because later ones need what earlier ones made. */
const LISTS = [
  ['faults add delivery --status 503 --times 1 --match attempt=9', 'faults list', /delivery/],
  ['snapshot save one --yes', 'snapshot list', /one/],
  ['trigger lifecycle.evaluated', 'events list', /lifecycle\.evaluated/],
  ['trigger lifecycle.evaluated', 'deliveries list', /success|pending/],
  ['endpoints list', 'endpoints list', /active/],
  ['workspaces list --api-key {token}', 'workspaces list --api-key {token}', /Test workspace/],
] as const;

describe.each(LISTS)('After %s, svc-mock %s', (first, list, says) => {
  beforeAll(async () => {
    expect(await run(fill(first))).toMatchObject({ status: 0, stderr: '' });
  });

  test.each([60, 80, 200])('fits a terminal of %i columns, with names in bold', async (columns) => {
    const { status, screen, text } = await seen(list, columns);
    expect(status).toBe(0);
    expect(text).toMatch(says);
    expect(Math.max(...text.split('\n').map((line) => line.length))).toBeLessThanOrEqual(columns);
    expect(screen).toContain('\u001b[1m');
    // An id is never cut.
    for (const id of text.match(/\b[a-z]{3}_\w+/g) ?? []) expect(id).toMatch(/^[a-z]{3}_\w{26}$/);
  });

  test('is one JSON document for programs', async () => {
    const { status, stdout, stderr } = await run([...fill(list), '--json']);
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    expect(JSON.parse(stdout).length).toBeGreaterThan(0);
  });
});

/** Every other command that ends on its own, and what it prints for a person. */
const OTHERS = [
  ['whoami', /Workspace +Test workspace/],
  ['trigger lifecycle.evaluated', /^Triggered lifecycle\.evaluated evt_\w+, with 1 delivery\.$/],
  ['trigger lifecycle.evaluated --wait', /whd_\w+ {2}success {2}1 attempt {2}HTTP 204/],
  ['deliveries show {delivery}', /success[\s\S]*The last request, as a curl command:\ncurl /],
  ['deliveries wait {delivery} --status success', /success/],
  ['deliveries replay {delivery}', /whd_\w{26}/],
  ['endpoints show {endpoint}', /lifecycle|\*/],
  ['endpoints create {url}', /whsec_/],
  ['endpoints update {endpoint} --description mine', /mine/],
  ['endpoints rotate {endpoint}', /^New secret for whe_\w+ \(shown only once\):\nwhsec_\S+$/],
  ['endpoints test {endpoint}', /HTTP 204|success/],
  ['events show {event}', /Type +lifecycle\.evaluated[\s\S]*\nCreated +\d{4}-.*\((now|.* ago)\)[\s\S]*DELIVERY/],
  ['keys create --workspace {workspace}', /svc_sk_test_\S+ {2}\(shown only once\)/],
  ['tokens create --user {user}', /svc_pat_test_\S+ {2}\(shown only once\)/],
  ['clock', /Frozen +no/],
  ['profiles import {folder}/profiles.json', /1/],
  ['evaluate', /Profiles +1/],
  ['doctor', /ok +Node: \d+/],
  ['clock advance 1h', /Moving the clock[\s\S]*Ran +\d+ attempts?, \d+ evaluations?/],
  ['clock freeze', /Now/],
  ['clock set {later}', /Now +\d{4}-/],
  ['clock reset', /Now/],
  [
    'faults add api --match path=/v1/none --status 500',
    /^Added flt_\w+\. Remove all faults with: svc-mock faults clear$/,
  ],
  ['faults clear', /^All faults are removed\.$/],
  ['snapshot save two', /^Saved two\.$/],
  ['snapshot restore two --yes', /^Restored two\.$/],
  ['snapshot delete two --yes', /^Deleted two\.$/],
  [
    'export {folder}/all.ndjson',
    /Exporting[\s\S]*Exported \d+ rows to \S+all\.ndjson \(\d+ bytes\)\.\nThe file does not contain the master key\./,
  ],
  ['endpoints delete {endpoint} --yes', /^Deleted whe_\w+\.$/],
  ['completion bash', /svc-mock/],
] as const;

test.each(OTHERS)('svc-mock %s says what happened, in a terminal', async (line, says) => {
  const { status, text } = await seen(line, 80);
  expect(text).toMatch(says);
  expect(status).toBe(0);
});

test('svc-mock import shows its progress, and a table of what it imported', async () => {
  const from = join(folder, 'from');
  await using server = await startProcess(['--data', from]);
  await server.end('SIGTERM');
  const file = join(folder, 'data.ndjson');
  const stderr = 'Warning: The file contains the master key. Keep the file secret.\n';
  for (const json of [['--json'], []]) {
    expect(await run(['export', file, '--data', from, '--with-master-key', ...json])).toMatchObject({
      status: 0,
      stderr,
    });
  }
  const { status, text, screen } = await seen(`import ${file} --data ${join(folder, 'to')}`, 80);
  expect(status).toBe(0);
  // If the cursor were hidden, Ctrl+C would leave the terminal without it.
  expect(screen).not.toContain('\u001b[?25l');
  expect(text).toMatch(/Importing [█░]+ \d+%/);
  expect(text).toMatch(/TABLE +ROWS\norganizations +2\n[\s\S]*\nImported \d+ rows from \S+\.$/);
});

/** Input that no command accepts, and what is wrong with it. */
const BROKEN = [
  ['whoami extra', 'Try: svc-mock whoami --help'],
  ['nonsense', 'There is no command "nonsense"'],
  ['deliveries nonsense', 'There is no command "deliveries nonsense". The commands are: list, show, '],
  ['triger nonsense', 'There is no command "triger". Did you mean: svc-mock trigger\n'],
  ['deliveries replya nonsense', 'Did you mean: svc-mock deliveries replay\n'],
  ['clock frezze nonsense', 'Did you mean: svc-mock clock freeze\n'],
  ['--server nonsense clock', '--server must be an http or https URL'],
  ['deliveries list --limit 0', 'The value must be an integer between 1 and'],
  ['deliveries show', "missing required argument 'id'"],
  ['deliveries wait whd_x --timeout soon', '--timeout must be a duration'],
  ['endpoints create nonsense', 'The URL must be an http or https URL'],
  ['endpoints update whe_x nonsense', 'The URL must be an http or https URL'],
  ['endpoints create', 'Pass the URL of the endpoint'],
  ['endpoints create http://127.0.0.1:9/ --url http://127.0.0.1:9/', 'Pass the URL once'],
  ['endpoints update whe_x --active maybe', 'active'],
  ['endpoints show whe_none', 'No such webhook endpoint: whe_none'],
  ['events show evt_none', 'evt_none'],
  ['keys create --workspace wsp_none', 'wsp_none'],
  ['tokens revoke key_x', 'must begin with pat_; key_x is the id of an API key'],
  ['clock advance', "missing required argument 'duration'"],
  ['clock set yesterday', 'set'],
  ['faults add api', 'Choose a fault: --status, --delay,'],
  ['faults add api --status 42', 'status'],
  ['clock advance 5q', 'The time to advance must be a duration such as 30s'],
  ['snapshot save a/b', 'snapshot name must'],
  ['snapshot restore none --yes', 'none'],
  ['reset --seed {folder}/none.yaml', 'Cannot read the seed file'],
  ['profiles import {folder}/none.json', 'There is no file'],
  ['export', "missing required argument 'file'"],
  ['import {folder}/none.ndjson --data {folder}/x', 'Cannot read'],
  ['doctor {folder}/none.txt --secret whsec_x', 'none.txt'],
  ['whoami --server nonsense', '--server must be an http or https URL'],
  ['whoami --api-key svc_sk_test_wrong', 'UNAUTHENTICATED'],
] as const;

test.each(BROKEN)('svc-mock %s prints one line on standard error and ends with exit code 2', async (line, says) => {
  // A group of commands has no options.
  for (const json of line.includes('nonsense') ? [[]] : [[], ['--json']]) {
    const { status, stdout, stderr } = await run([...fill(line), ...json]);
    expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
    expect(stderr).toMatch(/^svc-mock: [^\n]+\n$/);
    expect(stderr).toContain(says);
  }
});

test.each([
  '',
  'start',
  'completion',
  'clock',
  'deliveries',
  'endpoints',
  'events',
  'faults',
  'keys',
  'profiles',
  'snapshot',
  'tokens',
  'workspaces',
])('svc-mock %s --help has two examples', async (command) => {
  const { status, stdout } = await run([command, '--help'].filter(Boolean));
  expect(status).toBe(0);
  expect(stdout).toContain('\nExamples:\n');
  expect(stdout.split('\nExamples:\n')[1]?.trim().split('\n')).toHaveLength(2);
});

test('a refused svc-mock import leaves no data folder', async () => {
  const file = join(folder, 'broken.ndjson');
  writeFileSync(file, 'nonsense\n');
  const to = join(folder, 'outer/inner');
  expect(await run(['import', file, '--data', to])).toMatchObject({ status: 2, stdout: '' });
  expect(existsSync(join(folder, 'outer'))).toBe(false);
  mkdirSync(join(folder, 'there'));
  writeFileSync(join(folder, 'there/mine'), '');
  expect(await run(['import', file, '--data', join(folder, 'there')])).toMatchObject({ status: 2, stdout: '' });
  expect(readdirSync(join(folder, 'there'))).toEqual(['mine']);
});

test.skipIf(process.platform !== 'linux').each([[[]], [['--json']]])(
  'svc-mock open %j says that no browser opened, and what to open by hand',
  async (more) => {
    const bin = join(folder, 'bin');
    mkdirSync(bin, { recursive: true });
    writeFileSync(join(bin, 'xdg-open'), '#!/bin/sh\nexit 3\n', { mode: 0o755 });
    const path = `${bin}:${process.env['PATH']}`;
    const { status, stdout, stderr } = await svcMock(service.url, ['open', ...more], { env: { ...env(), PATH: path } });
    expect({ status, stdout }).toEqual({ status: 1, stdout: '' });
    expect(stderr).toContain(`Open the dashboard yourself: ${service.url}/dashboard`);
  },
);
