import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startServer } from '@svc/mock-server';
import { startMockService } from '@svc/mock-server/testing';
import { root, run as runProgram } from '@svc/testing';
import { afterEach, describe, expect, test } from 'vitest';
import { svcMock } from '../../src/svc-mock.ts';
import { useService } from './support/service.ts';

const cli = useService();
afterEach(() => cli.service.faults.clear());

const { run } = cli;

/** The JSON document of a command that succeeds. */
// biome-ignore lint/suspicious/noExplicitAny: the tests say what it is.
async function json(...argv: string[]): Promise<any> {
  const { status, stdout, stderr } = await run(...argv, '--json');
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  return JSON.parse(stdout);
}

/** An endpoint of a receiver that responds with a status. */
async function endpoint(status = 204) {
  const receiver = await cli.service.receiver();
  receiver.respond({ status });
  const { endpoint, secret } = await json('endpoints', 'create', receiver.url);
  return { receiver, id: endpoint.id as string, secret: secret.secret as string };
}

describe('svc-mock whoami', () => {
  test('shows whose credential it is', async () => {
    expect(await json('whoami')).toMatchObject({
      credential: { kind: 'api_key' },
      workspace: { id: cli.tenant.workspaceId },
    });
    const token = await svcMock(cli.service.url, ['whoami', '--json', '--api-key', cli.tenant.accessToken]);
    expect(JSON.parse(token.stdout)).toMatchObject({
      user: { id: cli.tenant.userId },
      workspaces: [{ id: cli.tenant.workspaceId }],
    });
  });

  test.each([
    ['whoami', '--server', 'svc_sk_test_misplaced'],
    ['svc_sk_test_misplaced'],
    ['--svc_sk_test_misplaced'],
    ['events', 'show', 'whsec_misplaced'],
    ['clock', 'advance', 'svc_pat_misplaced'],
  ])('%s %s %s does not print a credential that was typed in the wrong place', async (...argv) => {
    const { status, stdout, stderr } = await run(...argv);
    expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
    expect(stderr).toContain('[redacted]');
    expect(stderr).not.toContain('misplaced');
  });

  test('uses the first demo key by default', async () => {
    const { stdout } = await svcMock(cli.service.url, ['whoami', '--json']);
    expect(JSON.parse(stdout)).toMatchObject({ workspace: { name: 'Production' } });
  });
});

describe('--workspace', () => {
  test('chooses the demo key of the workspace', async () => {
    const { workspaceId = '' } = cli.service.credentials.find(({ name }) => name === 'Acme Staging') ?? {};
    const argv = ['endpoints', 'create', 'http://localhost:3000/', '--workspace', String(workspaceId), '--json'];
    const { stdout } = await svcMock(cli.service.url, argv);
    expect(JSON.parse(stdout).endpoint.workspaceId).toBe(workspaceId);
  });

  test('rejects an API key of another workspace, and changes nothing', async () => {
    const other = await cli.service.workspace();
    const argv = ['endpoints', 'create', 'http://localhost:3000/', '--workspace', other.workspaceId];
    const stderr = `svc-mock: The API key belongs to ${cli.tenant.workspaceId}. Pass an API key of ${other.workspaceId} with --api-key.\n`;
    expect(await run(...argv)).toEqual({ status: 2, stdout: '', stderr });
    expect(await json('endpoints', 'list')).toEqual([]);
    const noDemoKey = `svc-mock: No demo key belongs to ${other.workspaceId}. Pass an API key of ${other.workspaceId} with --api-key.\n`;
    expect(await svcMock(cli.service.url, argv)).toEqual({ status: 2, stdout: '', stderr: noDemoKey });
    expect(await json('endpoints', 'list', '--workspace', cli.tenant.workspaceId)).toEqual([]);
  });

  test('does not hide that the service fails', async () => {
    await cli.service.faults.add({ target: 'api', effect: { status: 503 } });
    const { status, stderr } = await svcMock(cli.service.url, ['endpoints', 'list', '--workspace', 'wsp_1']);
    expect([status, stderr]).toEqual([1, expect.stringContaining('was injected through the control API')]);
  });

  test('is accepted by a real service whose identity has another shape, which is not documented', async () => {
    await using server = createServer((_request, response) => {
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify({ data: [], nextPageUrl: null, previousPageUrl: null }));
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const argv = ['endpoints', 'list', '--workspace', 'wsp_1', '--api-key', 'svc_sk_1', '--json'];
    expect(await svcMock(url, argv)).toEqual({ status: 0, stdout: '[]\n', stderr: '' });
  });
});

describe('svc-mock endpoints', () => {
  test('create, show, list, update, rotate, test and delete an endpoint', async () => {
    const { id, secret, receiver } = await endpoint();
    expect(secret).toMatch(/^whsec_/);
    expect(await json('endpoints', 'show', id)).toMatchObject({ id, url: receiver.url, subscribedEvents: ['*'] });
    expect(await json('endpoints', 'list')).toMatchObject([{ id }]);
    expect(
      await json('endpoints', 'update', id, '--events', 'lifecycle.*, webhook.ping', '--description', 'mine'),
    ).toMatchObject({
      subscribedEvents: ['lifecycle.*', 'webhook.ping'],
      description: 'mine',
    });
    expect((await json('endpoints', 'rotate', id)).secret).not.toBe(secret);
    expect(await json('endpoints', 'test', id)).toMatchObject({ attempt: { response: { status: 204 } } });
    expect(receiver.requests).toHaveLength(1);
    expect(await json('endpoints', 'update', id, '--active', 'false')).toMatchObject({ active: false });
    expect(await json('endpoints', 'delete', id, '--yes')).toEqual({ deleted: id });
    expect((await run('endpoints', 'delete', id, '--yes')).status).toBe(2);
  });

  test('test ends with 1 if the endpoint fails, and 2 if it does not exist', async () => {
    const { id } = await endpoint(500);
    expect(await run('endpoints', 'test', id)).toMatchObject({
      status: 1,
      stderr: 'svc-mock: The first attempt failed: HTTP 500.\n',
    });
    expect(await run('endpoints', 'test', 'whe_none')).toMatchObject({
      status: 2,
      stderr: 'svc-mock: No such webhook endpoint: whe_none (NOT_FOUND)\n',
    });
  });

  test('update requires a change', async () => {
    expect(await run('endpoints', 'update', 'whe_x')).toMatchObject({
      status: 2,
      stderr: 'svc-mock: Pass at least one change: a URL, --events, --description or --active.\n',
    });
  });
});

test('svc-mock endpoints create keeps a URL as it was given, and completes one without a scheme', async () => {
  for (const [given, url] of [
    ['http://LOCALHOST:9', 'http://LOCALHOST:9'],
    ['localhost:9/hook', 'http://localhost:9/hook'],
  ] as const) {
    const { endpoint } = await json('endpoints', 'create', given);
    expect(endpoint.url).toBe(url);
    await json('endpoints', 'delete', endpoint.id, '--yes');
  }
});

describe('svc-mock trigger', () => {
  test('triggers one event, or several, about a subject', async () => {
    const { id } = await endpoint();
    const one = await json('trigger', 'lifecycle.evaluated');
    expect(one).toMatchObject({ event: { subject: { id: cli.tenant.workspaceId } }, deliveries: [{ endpointId: id }] });
    const many = await json(
      'trigger',
      'webhook.endpoint.auto_disabled',
      '--subject',
      `webhook_endpoint:${id}`,
      '--times',
      '3',
    );
    expect(many.events).toHaveLength(3);
    expect(many.events[0].event.subject).toEqual({
      id,
      type: 'webhook_endpoint',
      url: `/v1/webhooks/endpoints/${id}`,
    });
  });

  test('--wait waits until each delivery ends, prints a line for each, and ends with 0', async () => {
    await endpoint();
    const { status, stdout } = await run('trigger', 'lifecycle.evaluated', '--times', '2', '--wait', '--json');
    const lines = stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(status).toBe(0);
    expect(lines).toEqual(
      [1, 2].map(() => expect.objectContaining({ status: 'success', attempts: 1, result: 'HTTP 204' })),
    );
  });

  test('--wait ends with 1 if a delivery does not succeed in time', async () => {
    await endpoint(503);
    const { status, stdout, stderr } = await run('trigger', 'lifecycle.evaluated', '--wait', '--timeout', '2s');
    expect(status).toBe(1);
    const [triggered, line = '', ...more] = stdout.split('\n');
    expect(triggered).toMatch(/^Triggered lifecycle\.evaluated evt_\w+, with 1 delivery\.$/);
    expect(line).toMatch(/^whd_\w+ {2}pending {2}1 attempt {2}HTTP 503$/);
    const [id] = line.split(' ');
    const hint = `The next attempt of ${id} is due in 5 min. To run this attempt now: svc-mock clock advance 5m`;
    // Once when the attempt fails, and once more at the end, in the only line on standard error.
    expect(more).toEqual([hint, '']);
    expect(stderr).toBe(`svc-mock: Timed out after 2s: 1 of 1 deliveries had not ended. ${hint}\n`);
  });

  test.each([
    [['trigger', 'no.such'], 'The type "no.such" is not in the event catalog'],
    [['trigger'], "missing required argument 'type'"],
    [['trigger', ''], 'The argument <type> is an empty string. Try: svc-mock trigger --help'],
    [['snapshot', 'save', ''], 'The argument <name> is an empty string'],
    [['snapshot', 'restore', ''], 'The argument <name> is an empty string'],
    [['doctor', ''], 'The argument <request> is an empty string'],
    [['trigger', 'lifecycle.evaluated', '--subject', 'x'], '--subject must have the form type:id'],
    [
      ['trigger', 'webhook.endpoint.auto_disabled'],
      '--subject is missing; for webhook.endpoint.auto_disabled it must be an endpoint, such as webhook_endpoint:whe_….',
    ],
    [
      ['trigger', 'lifecycle.evaluated', '--subject', 'webhook_endpoint:whe_1'],
      '--subject of lifecycle.evaluated must be a workspace, such as workspace:wsp_….',
    ],
    [['trigger', 'lifecycle.evaluated', '--times', '0'], 'The value must be an integer between 1 and'],
    [['trigger', 'lifecycle.evaluated', '--timeout', 'soon'], '--timeout must be a duration'],
  ])('%j is used incorrectly', async (argv, says) => {
    const { status, stdout, stderr } = await run(...argv);
    expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
    expect(stderr).toMatch(/^svc-mock: [^\n]+\n$/);
    expect(stderr).toContain(says);
  });
});

describe('svc-mock deliveries', () => {
  async function failedDelivery() {
    const { receiver, id: endpointId } = await endpoint(500);
    const { event, deliveries } = await cli.service.trigger('lifecycle.evaluated', {
      workspaceId: cli.tenant.workspaceId,
    });
    await cli.service.waitForIdle();
    return { receiver, endpointId, eventId: event.id, id: String(deliveries[0]?.id), event };
  }

  test('list accepts the filters of the API', async () => {
    const { id, endpointId } = await failedDelivery();
    expect(await json('deliveries', 'list', '--status', 'pending', '--since', '1h')).toMatchObject([{ id }]);
    expect(await json('deliveries', 'list', '--endpoint', endpointId, '--type', 'lifecycle.evaluated')).toHaveLength(1);
    expect(await json('deliveries', 'list', '--status', 'success')).toEqual([]);
    expect(await json('deliveries', 'list', '--until', '2001-01-01T00:00:00Z')).toEqual([]);
    const byNames = ['--endpoint-id', endpointId, '--event-type', 'lifecycle.evaluated'];
    expect(await json('deliveries', 'list', ...byNames, '--created-from', '1h')).toMatchObject([{ id }]);
    expect(await json('deliveries', 'list', ...byNames, '--created-to', '2001-01-01T00:00:00Z')).toEqual([]);
    expect(await run('deliveries', 'list', '--since', 'yesterday')).toMatchObject({ status: 2 });
    expect(await run('deliveries', 'list', '--status', 'lost')).toMatchObject({ status: 2 });
  });

  test('show prints the attempts, the explanation, and a curl command that sends the same request', async () => {
    const { id, receiver } = await failedDelivery();
    const shown = await json('deliveries', 'show', id);
    expect(shown).toMatchObject({
      delivery: { id },
      attempts: [{ error: 'HTTP 500' }],
      explanation: { reason: 'scheduled' },
    });
    receiver.clear();
    expect((await runProgram('sh', ['-c', shown.curl.replace('curl ', 'curl -s ')])).status).toBe(0);
    const [sent] = receiver.requests;
    expect(sent?.headers['webhook-signature']).toBe(shown.attempts[0].request.headers['webhook-signature']);
    expect(sent?.json()).toEqual(shown.attempts[0].request.body);
  });

  test('wait ends with 0 if the delivery gets the status, and otherwise with 1 and what it saw', async () => {
    const { id, eventId, receiver } = await failedDelivery();
    const missed = await run('deliveries', 'wait', id, '--status', 'success', '--timeout', '0s');
    expect(missed).toMatchObject({
      status: 1,
      stderr:
        'svc-mock: The delivery did not reach the status success within 0s. Statuses: pending. ' +
        `To see why: svc-mock deliveries show ${id}\n`,
    });
    receiver.respond({ status: 204 });
    await cli.service.clock.advance('5m');
    expect(await json('deliveries', 'wait', '--event', eventId, '--status', 'success')).toMatchObject({
      deliveries: [{ id, attempt: 2 }],
    });
    expect((await run('deliveries', 'wait')).status).toBe(2);
  });

  test('wait says that some deliveries did not end, or that there are none', async () => {
    await endpoint(204);
    const { eventId } = await failedDelivery();
    const [left] = await json('deliveries', 'list', '--status', 'pending');
    const { status, stderr } = await run('deliveries', 'wait', '--event', eventId, '--timeout', '0s');
    expect(status).toBe(1);
    expect(stderr.replace('success, pending', 'pending, success')).toBe(
      'svc-mock: Not all deliveries ended within 0s. Statuses: pending, success. ' +
        `To see why: svc-mock deliveries show ${left.id}\n`,
    );
    const { workspaceId } = await cli.service.workspace();
    const { event } = await cli.service.trigger('lifecycle.evaluated', { workspaceId });
    expect(await run('deliveries', 'wait', '--event', event.id)).toMatchObject({
      status: 1,
      stderr: 'svc-mock: There are no deliveries to wait for.\n',
    });
  });

  test('replay sends one delivery again, or all that match the filters', async () => {
    const { id, receiver } = await failedDelivery();
    receiver.respond({ status: 204 });
    const one = await json('deliveries', 'replay', id);
    expect(one).toMatchObject({ deliveryId: id, error: null });
    await cli.service.waitForDelivery({ deliveryId: one.replayId, status: 'success' });
    const many = await json('deliveries', 'replay', '--status', 'success', '--since', '1d', '--yes');
    expect(many).toMatchObject({ replayed: 1, failed: 0, deliveries: [{ deliveryId: one.replayId }] });
  });

  test('replay finds a delivery whose attempts have all failed, with the line of its help and of the guide', async () => {
    const { id } = await failedDelivery();
    await cli.service.clock.advance('4d');
    const { stdout } = await run('deliveries', 'replay', '--help');
    const guide = readFileSync(join(root, 'docs/guides/develop-locally.md'), 'utf8');
    for (const text of [stdout, guide]) {
      const [, line = ''] = text.match(/svc-mock (deliveries replay --status failed .*)/) ?? [];
      expect(await json(...line.trim().split(' '))).toMatchObject({ replayed: 1, deliveries: [{ deliveryId: id }] });
    }
  });

  test('replay of many asks first: without a terminal and without --yes it changes nothing', async () => {
    const { id } = await failedDelivery();
    const { status, stderr } = await run('deliveries', 'replay', '--status', 'pending');
    expect({ status, stderr }).toEqual({
      status: 2,
      stderr: 'svc-mock: Replay 1 delivery? There is no terminal to confirm in. To continue, add --yes.\n',
    });
    expect(await json('deliveries', 'list')).toMatchObject([{ id }]);
    const nothing = ['deliveries', 'replay', '--status', 'failed'];
    expect((await run(...nothing)).status).toBe(2);
    expect(await json(...nothing, '--yes')).toMatchObject({ replayed: 0, failed: 0 });
    expect((await run('deliveries', 'replay')).status).toBe(2);
    expect((await run('deliveries', 'replay', id, '--status', 'failed')).status).toBe(2);
  });

  test('replay reports what could not be replayed, and ends with 1', async () => {
    const { id, endpointId } = await failedDelivery();
    await json('endpoints', 'update', endpointId, '--active', 'false');
    const { status, stdout } = await run('deliveries', 'replay', '--endpoint', endpointId, '--yes', '--json');
    expect(status).toBe(1);
    expect(JSON.parse(stdout)).toMatchObject({
      replayed: 0,
      failed: 1,
      deliveries: [{ deliveryId: id, replayId: null }],
    });
  });
});

describe('svc-mock events, workspaces, keys and tokens', () => {
  test('list and show', async () => {
    const { event } = await cli.service.trigger('lifecycle.evaluated', { workspaceId: cli.tenant.workspaceId });
    expect(await json('events', 'list', '--type', 'lifecycle.evaluated', '--limit', '1')).toEqual([event]);
    expect(await json('events', 'show', event.id)).toEqual(event);
    expect((await run('events', 'show', 'evt_none')).status).toBe(2);
    const listed = await svcMock(cli.service.url, [
      'workspaces',
      'list',
      '--json',
      '--api-key',
      cli.tenant.accessToken,
    ]);
    expect(JSON.parse(listed.stdout)).toMatchObject([{ id: cli.tenant.workspaceId }]);
    expect(await run('workspaces', 'list')).toMatchObject({
      status: 2,
      stderr:
        'svc-mock: This command needs a personal access token (svc_pat_…): pass --api-key <token>, or set SVC_API_KEY.\n',
    });
  });

  test('create credentials that are accepted, and revoke them', async () => {
    const key = await json('keys', 'create', '--workspace', cli.tenant.workspaceId, '--name', 'CI');
    const token = await json('tokens', 'create', '--user', cli.tenant.userId);
    for (const { credential } of [key, token]) {
      expect((await svcMock(cli.service.url, ['whoami', '--api-key', credential])).status).toBe(0);
    }
    expect(await json('keys', 'revoke', key.id)).toEqual({ revoked: key.id });
    expect(await json('tokens', 'revoke', token.id, '--yes')).toEqual({ revoked: token.id });
    for (const { credential } of [key, token]) {
      expect((await svcMock(cli.service.url, ['whoami', '--api-key', credential])).status).toBe(2);
    }
    expect(await run('keys', 'revoke', token.id)).toMatchObject({ status: 2 });
    expect(await run('keys', 'create')).toMatchObject({ status: 2 });
    expect(await run('tokens', 'create', '--user', 'usr_none')).toMatchObject({ status: 2 });
  });
});

describe('svc-mock faults', () => {
  test('add, list and clear', async () => {
    const added = await json(
      'faults',
      'add',
      'delivery',
      '--match',
      'attempt=1',
      '--status',
      '503',
      '--times',
      '2',
      '--random-seed',
      '7',
    );
    expect(added).toMatchObject({ match: { attempt: 1 }, effect: { status: 503 }, times: 2, randomSeed: 7 });
    await json(
      'faults',
      'add',
      'api',
      '--match',
      'path=/v1/none',
      '--delay',
      '1s',
      '--drop',
      'response',
      '--probability',
      '0.5',
    );
    expect(await json('faults', 'list')).toMatchObject([
      { id: added.id },
      { effect: { delayMs: 1000, drop: 'response' } },
    ]);
    await json('faults', 'clear', '--yes');
    expect(await json('faults', 'list')).toEqual([]);
  });

  test.each([
    ['moon', '--status', '500'],
    ['delivery'],
    ['delivery', '--status', '500', '--duplicate'],
    ['delivery', '--match', 'attempt', '--status', '500'],
    ['api', '--status', '500', '--probability', '2'],
  ])('add %s %s is used incorrectly', async (...argv) => {
    const { status, stderr } = await run('faults', 'add', ...argv);
    expect(status).toBe(2);
    expect(stderr).toMatch(/^svc-mock: [^\n]+\n$/);
  });
});

describe('svc-mock snapshot', () => {
  test('save, list, restore and delete', async () => {
    await using own = await startMockService();
    const snapshot = async (...argv: string[]) =>
      JSON.parse((await svcMock(own.url, ['snapshot', ...argv, '--json'])).stdout);
    expect(await snapshot('save', 'one')).toEqual({ saved: 'one' });
    expect(await snapshot('save', 'one', '--yes')).toEqual({ saved: 'one' });
    await own.reset({});
    expect(own.credentials.length).toBeGreaterThan(0);
    expect(await snapshot('restore', 'one', '--yes')).toEqual({ restored: 'one' });
    expect((await svcMock(own.url, ['whoami'])).status).toBe(0);
    expect(await snapshot('list')).toMatchObject([{ name: 'one' }]);
    expect(await snapshot('delete', 'one', '--yes')).toEqual({ deleted: 'one' });
    expect(await svcMock(own.url, ['snapshot', 'restore', 'one', '--yes'])).toMatchObject({ status: 2 });
    expect(await svcMock(own.url, ['snapshot', 'save', '../one'])).toMatchObject({ status: 2 });
  });
});

describe('svc-mock clock and reset', () => {
  test('show, advance, set, freeze and reset', async () => {
    await using own = await startMockService();
    const clock = async (...argv: string[]) =>
      JSON.parse((await svcMock(own.url, ['clock', ...argv, '--json'])).stdout);
    expect(await clock()).toMatchObject({ frozen: false });
    expect(await clock('advance', '3d')).toMatchObject({ ran: { attempts: 0, evaluations: 0 } });
    expect((await clock('show')).offsetMs).toBeGreaterThan(2 * 86_400_000);
    expect(await clock('set', '2099-01-01T00:00:00Z')).toMatchObject({
      now: expect.stringMatching(/^2099-01-01T00:00:0/),
    });
    await clock('freeze');
    expect(await clock()).toMatchObject({ frozen: true });
    expect(await svcMock(own.url, ['clock', 'set', '2001-01-01T00:00:00Z'])).toMatchObject({ status: 2 });
    expect(await svcMock(own.url, ['clock', 'set', 'tomorrow'])).toMatchObject({ status: 2 });
    expect(await svcMock(own.url, ['clock', 'advance', 'long'])).toMatchObject({ status: 2 });
    await clock('reset');
    expect(await clock()).toMatchObject({ frozen: false, offsetMs: 0 });
  });

  test.each([
    [
      'users: [{ email: a@b.test, name: A }]\norganizations:\n  - slug: one\n    name: One\n    members: { b@b.test: Owner }\n',
      'line 5): "organizations.0.members.b@b.test": there is no such user.',
    ],
    ['users:\n  - name: A\n', 'line 2): "users.0.email" is missing; it must be an email address.'],
    ['users:\n  - email: a@b.test\n    name: A\nusres: []\n', 'line 4): it has unknown fields: usres.'],
  ])('reset rejects the seed %j with file and line, and wipes nothing', async (text, says) => {
    const folder = mkdtempSync(join(tmpdir(), 'svc-cli-'));
    try {
      await using own = await startMockService();
      const file = join(folder, 'wrong.yaml');
      writeFileSync(file, text);
      expect(await svcMock(own.url, ['reset', '--seed', file])).toEqual({
        status: 2,
        stdout: '',
        stderr: `svc-mock: The seed is not valid (${file}, ${says}\n`,
      });
      expect((await svcMock(own.url, ['whoami'])).status).toBe(0);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  test('reset by a strict server rejects a pinned secret with file and line', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'svc-cli-'));
    try {
      await using strict = await startServer({
        port: 0,
        dataDir: null,
        strict: true,
        adminToken: 'the-right-admin-token-of-the-server',
        logLevel: 'silent',
      });
      const file = join(folder, 'pinned.yaml');
      writeFileSync(
        file,
        'organizations:\n  - slug: one\n    name: One\n    workspaces:\n      - slug: w\n        name: W\n        endpoints:\n' +
          `          - url: https://a.example.com/\n            secret: whsec_${'a'.repeat(32)}\n`,
      );
      const argv = ['reset', '--yes', '--seed', file, '--admin-token', 'the-right-admin-token-of-the-server'];
      expect(await svcMock(strict.url, argv)).toMatchObject({
        status: 2,
        stderr: `svc-mock: The seed is not valid (${file}, line 9): "organizations.0.workspaces.0.endpoints.0.secret": the strict profile rejects a secret that is set in the seed.\n`,
      });
      writeFileSync(file, 'organizations:\n  - { slug: one, name: One }\n');
      expect(await svcMock(strict.url, argv)).toMatchObject({ status: 0 });
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  test('reset applies a seed, and rejects one that cannot be read', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'svc-cli-'));
    try {
      await using own = await startMockService();
      writeFileSync(
        join(folder, 'seed.yaml'),
        'users:\n  - { email: a@example.test, name: A, tokens: [{ credential: svc_pat_test_a }] }\n',
      );
      writeFileSync(join(folder, 'broken.yaml'), 'users: [');
      const reset = await svcMock(own.url, ['reset', '--seed', join(folder, 'seed.yaml'), '--yes', '--json']);
      expect(JSON.parse(reset.stdout)).toMatchObject({ credentials: [{ credential: 'svc_pat_test_a' }] });
      expect(await svcMock(own.url, ['reset', '--seed', join(folder, 'broken.yaml')])).toMatchObject({ status: 2 });
      expect((await svcMock(own.url, ['reset', '--yes'])).stdout).toContain('svc_sk_test_demo_acme_production');
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});

describe('svc-mock, before data is lost,', () => {
  test.each([
    ['reset', 'Delete everything on'],
    ['snapshot restore one', 'Replace everything on'],
    ['snapshot save one', 'Replace the snapshot one on'],
    ['snapshot delete one', 'Delete the snapshot one on'],
    ['endpoints delete {endpoint}', 'Delete {endpoint} (http://127.0.0.1:'],
  ])('%s requires --yes without a terminal, and changes nothing', async (line, asks) => {
    const { id } = await endpoint();
    await json('snapshot', 'save', 'one', '--yes');
    const argv = line.replace('{endpoint}', id).split(' ');
    for (const flags of [[], ['--json']]) {
      const { status, stdout, stderr } = await run(...argv, ...flags);
      expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
      expect(stderr).toContain(asks.replace('{endpoint}', id));
      expect(stderr).toContain('To continue, add --yes.');
    }
    expect(await json('endpoints', 'list')).toMatchObject([{ id }]);
    expect(await json('snapshot', 'list')).toMatchObject([{ name: 'one' }]);
  });
});

describe('svc-mock, with options before the name of a command,', () => {
  const whoami = { workspace: { name: 'Production' } };
  test.each([
    [['--json', 'whoami'], whoami],
    [['--server', '{url}', '--json', 'whoami'], whoami],
    [['--server={url}', 'whoami', '--json'], whoami],
    [['--json', 'clock', '--server', '{url}', 'show'], { frozen: false }],
    [['clock', '--json', '--admin-token', 'any'], { frozen: false }],
  ])('%j does the same as with options after it', async (argv, result) => {
    const given = argv.map((word) => word.replace('{url}', cli.service.url));
    const isNamed = argv.join(' ').includes('{url}');
    const { status, stdout, stderr } = await svcMock(isNamed ? 'http://127.0.0.1:9' : cli.service.url, given);
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    expect(JSON.parse(stdout)).toMatchObject(result);
  });

  test.each([
    [['--server'], "option '--server <url>' argument missing"],
    [['--jsn', 'whoami'], "unknown option '--jsn' (Did you mean --json?). Try: svc-mock --help"],
    [['--sever', '{url}', 'whoami'], "unknown option '--sever' (Did you mean --server?)"],
    [['deliveries', '--api-keys=x', 'list'], '(Did you mean --api-key?). Try: svc-mock deliveries --help'],
    [['--prot', '4010'], "unknown option '--prot' (Did you mean --port?)"],
    [['--nonsense', 'whoami'], "unknown option '--nonsense'. Try"],
    [['--server', 'http://127.0.0.1:9', 'trigr', 'x'], 'There is no command "trigr". Did you mean: svc-mock trigger'],
    [['--json', 'begin'], 'There is no command "begin". Try: svc-mock --help'],
    [['--server', 'nonsense', 'whoami'], '--server must be an http or https URL'],
    [['--server', 'http://user:password@127.0.0.1:9', 'clock'], '--server must not contain a user name or a password'],
    [['whoami', '--server'], "option '--server <url>' argument missing"],
    [['export', 'x'.repeat(300)], `svc-mock: Cannot write ${'x'.repeat(300)}: ENAMETOOLONG`],
    [['profiles', 'import', 'x'.repeat(300)], `svc-mock: Cannot read ${'x'.repeat(300)}: ENAMETOOLONG`],
  ])('%j is used incorrectly', async (argv, says) => {
    const { status, stderr } = await svcMock(cli.service.url, argv);
    expect(status).toBe(2);
    expect(stderr).toContain(says);
  });

  test.each([
    [['--server', 'https://ci:p#secret@api.test', 'whoami'], '--server must be an http or https URL'],
    [['listen', '--forward-to', 'https://ci:p/secret@api.test'], '--forward-to must be an http or https URL'],
    [['doctor', '--database', 'postgres://ci:1/secret@db.test/app'], 'must be a URL such as postgres://'],
  ])('%j does not show the password of a mistyped URL', async (argv, says) => {
    const { stdout, stderr } = await svcMock(cli.service.url, argv);
    expect(stdout + stderr).toContain(says);
    expect(stdout + stderr).not.toContain('secret');
  });
});

describe('svc-mock, given what cannot be found,', () => {
  test.each([
    [['deliveries', 'list', '--type', 'lifecycle.evalauted'], 'Did you mean: lifecycle.evaluated'],
    [['deliveries', 'replay', '--type', 'lifecycle.evalauted', '--yes'], 'Did you mean: lifecycle.evaluated'],
    [['deliveries', 'tail', '--type', 'lifecycle.evalauted'], 'Did you mean: lifecycle.evaluated'],
    [['events', 'list', '--type', 'x'], 'There is no event type "x". The types are: '],
    [['deliveries', 'show', 'evt_x'], 'evt_x is the id of an event. Try: svc-mock events show evt_x'],
    [['deliveries', 'replay', 'evt_x'], 'The id of a delivery must begin with whd_'],
    [['deliveries', 'wait', 'whe_x'], 'whe_x is the id of an endpoint'],
    [['deliveries', 'wait', '--event', 'whd_x'], 'whd_x is the id of a delivery'],
    [['deliveries', 'list', '--endpoint', 'whd_x'], 'whd_x is the id of a delivery'],
    [['events', 'show', 'whd_x'], 'whd_x is the id of a delivery. Try: svc-mock deliveries show whd_x'],
    [['endpoints', 'rotate', 'whs_x'], 'whs_x is the id of a signing secret'],
    [['endpoints', 'show', 'mine'], 'The id of an endpoint must begin with whe_, but "mine" does not.'],
    [['trigger', 'lifecycle.evaluated', '--workspace', 'org_x'], 'org_x is the id of an organization'],
  ])('%j names what is wrong', async (argv, says) => {
    const { status, stdout, stderr } = await run(...argv);
    expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
    expect(stderr).toContain(says);
  });

  test.each([['deliveries'], ['events']])('%s list of a type without any is empty', async (name) => {
    expect(await json(name, 'list', '--type', 'lifecycle.evaluated')).toEqual([]);
  });
});

describe('svc-mock with SVC_DEBUG', () => {
  const debug = (value: string, argv: string[], url = cli.service.url) =>
    svcMock(url, argv, {
      env: { SVC_API_KEY: cli.tenant.apiKey, SVC_ADMIN_TOKEN: 'an-admin-token', SVC_DEBUG: value },
    });

  test('prints each request with status, request id and duration, and no credential', async () => {
    const { status, stdout, stderr } = await debug('1', ['events', 'list', '--type', 'lifecycle.evaluated', '--json']);
    expect([status, JSON.parse(stdout)]).toEqual([0, []]);
    const { origin } = new URL(cli.service.url);
    const lines = stderr.trimEnd().split('\n');
    expect(lines[0]).toMatch(/^svc-mock: GET http:\S+\/v1\/events 200 \S+ \(\d+ ms\)$/);
    for (const line of lines) expect(line.startsWith(`svc-mock: GET ${origin}/`)).toBe(true);
    expect(stderr).not.toContain(cli.tenant.apiKey);
    expect(stderr).not.toContain('an-admin-token');
  });

  test('prints why a request got no response', async () => {
    const { stderr } = await debug('1', ['clock'], 'http://127.0.0.1:9');
    expect(stderr).toMatch(/^svc-mock: GET http:\/\/127\.0\.0\.1:9\/_control\/clock failed: .+ \(\d+ ms\)\n/);
  });

  test('prints nothing if it is 0', async () => {
    expect((await debug('0', ['events', 'list'])).stderr).toBe('');
  });
});

test('svc-mock endpoints takes the URL as an argument or with --url', async () => {
  const receiver = await cli.service.receiver();
  const { endpoint } = await json('endpoints', 'create', '--url', receiver.url);
  expect(endpoint.url).toBe(receiver.url);
  expect(await json('endpoints', 'update', endpoint.id, '--url', `${receiver.url}/b`)).toMatchObject({
    url: `${receiver.url}/b`,
  });
});

test.each([['--help'], ['events', 'list'], ['whoami', '--json']])(
  'svc-mock %s … prints no error when its output is closed',
  async (...argv) => {
    const command = join(root, 'mock-server/dist/main.js');
    const env = { ...process.env, SVC_BASE_URL: cli.service.url, SVC_API_KEY: cli.tenant.apiKey };
    const child = spawn(process.execPath, [command, ...argv], { env, stdio: ['ignore', 'pipe', 'pipe'] });
    child.stdout.destroy();
    let said = '';
    child.stderr.on('data', (text) => {
      said += text;
    });
    expect(await once(child, 'close')).toEqual([0, null]);
    expect(said).toBe('');
  },
);
