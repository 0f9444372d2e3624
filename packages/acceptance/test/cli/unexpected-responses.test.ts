import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { svcMock } from '../../src/svc-mock.ts';

/** A program that is not the service: it responds to each request with `response`. */
let other: Server;
let response: unknown;
let url: string;
beforeAll(async () => {
  other = createServer((_request, outgoing) => {
    outgoing.setHeader('content-type', 'application/json');
    outgoing.end(JSON.stringify(response));
  });
  await once(other.listen(0, '127.0.0.1'), 'listening');
  url = `http://127.0.0.1:${(other.address() as AddressInfo).port}`;
});
afterAll(() => {
  other.closeAllConnections();
  other.close();
});

const run = (line: string, env: Record<string, string> = {}) =>
  svcMock(url, line.split(' '), { env: { SVC_API_KEY: 'svc_sk_test_demo_acme_production', ...env } });

describe.each<[string, unknown]>([
  ['null', null],
  ['an empty list', []],
  [
    'fields of other types',
    { data: [null], ran: null, deliveries: 1, faults: [null], snapshots: [null], credentials: 7, evaluation: null },
  ],
])('If the server responds with %s,', (_what, body) => {
  test.each([
    'whoami',
    'trigger lifecycle.evaluated --workspace wsp_1',
    'deliveries wait whd_1',
    'deliveries show whd_1',
    'clock advance 5m',
    'faults list',
    'snapshot list',
    'reset --yes',
    'evaluate --workspace wsp_1',
    'doctor whd_1',
    'keys create --workspace wsp_1',
  ])('svc-mock %s fails with one line', async (line) => {
    response = body;
    const { status, stdout, stderr } = await run(line);
    expect([status, stdout]).toEqual([2, '']);
    expect(stderr).toMatch(/^svc-mock: .+\n$/);
    expect(stderr).toMatch(/Is the server svc-mock of this version\?|may not be svc-mock/);
  });
});

test('the line gives the reason, and with SVC_DEBUG=1, the requests and the stack come first', async () => {
  response = null;
  const said = `Cannot use a response from the server at ${url}: Cannot destructure property 'faults' of '(intermediate value)' as it is null. Is the server svc-mock of this version? To see the requests and the stack, set SVC_DEBUG=1.`;
  expect(await run('faults list')).toEqual({ status: 2, stdout: '', stderr: `svc-mock: ${said}\n` });
  const { status, stderr } = await run('faults list', { SVC_DEBUG: '1' });
  const [request, error, ...more] = stderr.trimEnd().split('\n');
  expect([status, error, more.at(-1)]).toEqual([
    2,
    expect.stringMatching(/^svc-mock: TypeError: Cannot destructure/),
    `svc-mock: ${said}`,
  ]);
  expect(request).toMatch(/^svc-mock: GET \S+\/_control\/faults 200/);
  expect(more.slice(0, -1).join('\n')).toMatch(/^ {4}at .+/);
});
