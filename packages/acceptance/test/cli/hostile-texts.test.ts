import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type MockService, startMockService, type Tenant } from '@svc/mock-server/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { svcMock, svcMockInTerminal } from '../../src/svc-mock.ts';

/** Writes the clipboard, clears the screen, colours, hides, turns the direction, and forges a line. */
const HOSTILE = '\u001b]52;c;aGk=\u0007\u001b[2J\u001b[31m\u009b8m\u202e\u2066\u2028\rforged\nforged';

/** Fields on which commands decide, or of which they make the next request. */
const LEFT_ALONE = /^(?:id|.*Id|status|now|created|.*At|url|type|kind|.*PageUrl|credential|profile)$/;

const hostile = (value: unknown, leftAlone: RegExp): unknown => {
  if (typeof value === 'string') return value + HOSTILE;
  if (Array.isArray(value)) return value.map((one) => hostile(one, leftAlone));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, field]) => {
      const isKept = leftAlone.test(name) && (typeof field !== 'object' || field === null);
      return [name, isKept ? field : hostile(field, leftAlone)];
    }),
  );
};

/** A server whose every text is hostile: it asks the service, and adds to each text of the response. */
async function startHostile(target: string, leftAlone: RegExp) {
  const server = createServer(async (incoming, outgoing) => {
    const pieces: Buffer[] = [];
    for await (const piece of incoming) pieces.push(piece as Buffer);
    const { authorization, 'content-type': type, 'service-workspace-id': workspace } = incoming.headers;
    const answer = await fetch(target + incoming.url, {
      method: incoming.method ?? 'GET',
      headers: JSON.parse(
        JSON.stringify({ authorization, 'content-type': type, 'service-workspace-id': workspace }),
      ) as Record<string, string>,
      ...(pieces.length > 0 && { body: Buffer.concat(pieces) }),
    });
    const text = await answer.text();
    outgoing.writeHead(answer.status, { 'content-type': 'application/json' });
    outgoing.end(text === '' ? '' : JSON.stringify(hostile(JSON.parse(text), leftAlone)));
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

let service: MockService;
let tenant: Tenant;
let servers: Awaited<ReturnType<typeof startHostile>>[];
let url: string;
/** A server whose ids and times are hostile too. Most commands cannot use them, and fail. */
let urlOfAll: string;
let folder: string;
let given: Record<string, string>;
beforeAll(async () => {
  service = await startMockService();
  tenant = await service.workspace();
  const receiver = await service.receiver();
  receiver.respond({ status: 400, body: HOSTILE });
  const create = ['endpoints', 'create', receiver.url, '--description', 'mine', '--json'];
  const created = await svcMock(service.url, create, { env: env() });
  const { event, deliveries } = await service.trigger('lifecycle.evaluated', { workspaceId: tenant.workspaceId });
  await service.waitForIdle();
  servers = await Promise.all([startHostile(service.url, LEFT_ALONE), startHostile(service.url, /^$/)]);
  [url, urlOfAll] = servers.map((server) => server.url) as [string, string];
  folder = mkdtempSync(join(tmpdir(), 'svc-hostile-'));
  const captured = join(folder, 'request.json');
  const headers = { 'webhook-id': `msg${HOSTILE}`, 'webhook-timestamp': '1', 'webhook-signature': `v1,${HOSTILE}` };
  writeFileSync(captured, JSON.stringify({ headers, body: HOSTILE }));
  given = {
    endpoint: JSON.parse(created.stdout).endpoint.id,
    event: event.id,
    delivery: String(deliveries[0]?.id),
    token: tenant.accessToken,
    workspace: tenant.workspaceId,
    captured,
    HOSTILE,
  };
});
afterAll(async () => {
  for (const server of servers) server.close();
  rmSync(folder, { recursive: true });
  await service.close();
});

const env = () => ({ SVC_API_KEY: tenant.apiKey });
const fill = (line: string) => line.split(' ').map((word) => word.replace(/\{(\w+)\}/, (_, name) => given[name] ?? ''));

/** What no output may have. Line feeds are ours: tests check what lines say. */
const CONTROLS = /[^\P{Cc}\n]|[\p{Bidi_Control}\u2028\u2029]/u;

const expectHarmless = (text: string) => {
  expect(text).not.toMatch(CONTROLS);
  expect(text).not.toMatch(/^forged/m);
};

/** Commands that print texts of the server, or of their arguments, and whether they show the hostile one. */
const COMMANDS = [
  'whoami',
  'whoami --api-key {token}',
  'endpoints list',
  'endpoints show {endpoint}',
  'endpoints show whe_{HOSTILE}',
  'endpoints test {endpoint}',
  'events list --type {HOSTILE}',
  'events show {event}',
  'deliveries list',
  'deliveries show {delivery}',
  'deliveries show whd_missing',
  'deliveries replay {delivery}',
  'trigger lifecycle.evaluated --wait --timeout 1s',
  'workspaces list --api-key {token}',
  'faults add {HOSTILE}',
  'evaluate',
  'doctor {captured} --delivery {delivery}',
  'doctor {captured} --secret whsec_{HOSTILE}',
  'clock advance {HOSTILE}',
  'nonsense{HOSTILE}',
  'deliveries {HOSTILE}',
];

test.each(COMMANDS)('svc-mock %s prints no control character, as text and as JSON', async (line) => {
  const run = (...more: string[]) => svcMock(url, [...fill(line), ...more], { env: env() });
  for (const { stdout, stderr } of await Promise.all([run(), run('--json')])) {
    expect(stdout + stderr).not.toBe('');
    expectHarmless(stdout);
    expectHarmless(stderr);
  }
});

test.each([
  'whoami',
  'endpoints show {endpoint}',
  'endpoints rotate-secret {endpoint}',
  'events show {event}',
  'deliveries list',
  'deliveries replay {delivery}',
  'faults add delivery --status 500',
  'keys create --workspace {workspace}',
  'snapshot save one',
  'snapshot list',
  'trigger lifecycle.evaluated --workspace {workspace}',
])('svc-mock %s prints no control character of an id', async (line) => {
  const { stdout, stderr } = await svcMock(urlOfAll, fill(line), { env: env() });
  expect(stdout + stderr).not.toBe('');
  expectHarmless(stdout);
  expectHarmless(stderr);
});

test('the JSON of a hostile text is that text', async () => {
  const { stdout } = await svcMock(url, ['endpoints', 'show', given['endpoint'] ?? '', '--json'], { env: env() });
  expect(JSON.parse(stdout).description).toBe(`mine${HOSTILE}`);
});

test('in a terminal, our colours work, and a hostile text is shown', async () => {
  const { screen } = await svcMockInTerminal(url, ['deliveries', 'show', given['delivery'] ?? ''], 200, { env: env() });
  expect(screen).toContain('\u001b[31mHTTP 400\\u001b]52;c;aGk=\\u0007\\u001b[2J\\u001b[31m\\u009b8m\\u202e');
  expect(screen).toContain('\u001b[1mATTEMPT');
  // biome-ignore lint/suspicious/noControlCharactersInRegex: our own colours
  expectHarmless(screen.replaceAll(/\u001b\[(?:1|22|3[1-69])m/g, ''));
});

test('in a terminal, an export has the same JSON without control characters', async () => {
  const { stdout } = await svcMock(service.url, ['export', '-'], { env: env() });
  const { screen } = await svcMockInTerminal(service.url, ['export', '-'], 200, { env: env() });
  expect(stdout).toContain('\u009b8m\u202e');
  expect(screen).toContain('\\u009b8m\\u202e');
  expectHarmless(screen);
});
