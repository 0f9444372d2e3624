import type { ServerResponse } from 'node:http';
import { describe, expect, test, vi } from 'vitest';
import { type CallOptions, startApi, TEST_ADMIN_TOKEN, type TestApi } from '../../support/api.ts';
import { startReceiver as startHeldReceiver } from '../../support/delivery/receiver.ts';
import { demo } from '../../support/demo.ts';
import { makeWorkspace } from '../../support/http/workspace.ts';
import { startReceiver } from '../../support/receiver.ts';

const as = { credential: demo.production.key };

const scrape = async (api: TestApi, { headers = {} }: CallOptions = {}) => {
  const response = await fetch(`${api.server.url}/metrics`, { headers });
  return { status: response.status, type: response.headers.get('content-type'), text: await response.text() };
};

/** Reads the value of one series from the text. */
function seriesIn(text: string, series: string): number | undefined {
  const line = text.split('\n').find((found) => found.startsWith(`${series} `));
  return line === undefined ? undefined : Number(line.slice(series.length + 1));
}

describe('GET /metrics', () => {
  test('reports the outcomes of deliveries and the state of the engine', async () => {
    await using api = await startApi({ retryDelaysMs: [60_000] });
    await using receiver = await startReceiver();
    await using broken = await startReceiver(500);
    for (const { url } of [receiver, broken]) {
      const body = { url, subscribedEvents: ['lifecycle.*'] };
      await api.call('POST', '/v1/webhooks/endpoints', { ...as, body });
    }
    expect(seriesIn((await scrape(api)).text, 'svc_delivery_attempts_total{outcome="failed"}')).toBe(0);
    await api.call('POST', '/_control/clock', { body: { freeze: true } });
    const event = { workspaceId: demo.production.id, type: 'lifecycle.evaluated' };
    await api.call('POST', '/_control/events', { body: { events: Array(5).fill(event) } });
    await api.call('POST', '/_control/settle', { body: {} });
    await api.call('POST', '/_control/clock', { body: { advance: '1m' } });

    const { status, type, text } = await scrape(api);
    expect({ status, type }).toEqual({ status: 200, type: 'text/plain; version=0.0.4; charset=utf-8' });
    const values = {
      'svc_delivery_attempts_total{outcome="success"}': 5,
      'svc_delivery_attempts_total{outcome="retry"}': 5,
      'svc_delivery_attempts_total{outcome="failed"}': 5,
      svc_delivery_attempt_duration_seconds_count: 15,
      'svc_delivery_attempt_duration_seconds_bucket{le="+Inf"}': 15,
      svc_delivery_write_batch_size_sum: 15,
      svc_delivery_attempts_in_flight: 0,
      svc_deliveries_due: 0,
      svc_delivery_lag_seconds: 0,
      svc_delivery_lanes_lost_total: 0,
      svc_endpoints_auto_disabled_total: 1,
      svc_intake_refused_total: 0,
      svc_database_up: 1,
    };
    for (const [series, value] of Object.entries(values))
      expect([series, seriesIn(text, series)]).toEqual([series, value]);
    expect(seriesIn(text, 'svc_delivery_lanes_claimed_total')).toBeGreaterThanOrEqual(2);
    expect(seriesIn(text, 'svc_delivery_round_duration_seconds_count')).toBeGreaterThanOrEqual(2);
    expect(seriesIn(text, 'process_cpu_seconds_total')).toBeGreaterThan(0);
  });

  test('reports imports, syncs and evaluations', async () => {
    await using api = await startApi();
    const { base, evaluate, putLines } = await makeWorkspace(api);
    const before = (await scrape(api)).text;
    expect(seriesIn(before, 'svc_evaluations_total{trigger="request"}')).toBe(0);
    await putLines('{"externalId":"a"}\n{"externalId":"b"}\nno JSON\n');
    await putLines('{"externalId":"a"}\n{"externalId":"b","name":"B"}\n');
    await api.call('PUT', `${base}/data-source`, { body: { kind: 'ndjson', location: '/no/such/file' } });
    await api.call('POST', `${base}/data-source/sync`);
    await evaluate();
    await evaluate();
    const { text } = await scrape(api);
    const values = {
      'svc_imported_profiles_total{outcome="created"}': 2,
      'svc_imported_profiles_total{outcome="updated"}': 1,
      'svc_imported_profiles_total{outcome="unchanged"}': 1,
      'svc_imported_profiles_total{outcome="rejected"}': 1,
      'svc_syncs_total{outcome="failed"}': 1,
      'svc_evaluations_total{trigger="request"}': 2,
      'svc_evaluations_total{trigger="schedule"}': 0,
      svc_evaluation_duration_seconds_count: 2,
      'svc_evaluated_profiles_total{outcome="changed"}': 2,
      'svc_evaluated_profiles_total{outcome="unchanged"}': 2,
      svc_evaluations_due: 0,
      svc_evaluation_leases_lost_total: 0,
    };
    for (const [series, value] of Object.entries(values))
      expect([series, seriesIn(text, series) ?? 0]).toEqual([series, (seriesIn(before, series) ?? 0) + value]);
  });

  test('reports how long the oldest delivery has been due, and how many are due and in flight', async () => {
    await using api = await startApi();
    const open: ServerResponse[] = [];
    await using receiver = await startHeldReceiver((_request, response) => open.push(response));
    const body = { url: receiver.url, subscribedEvents: ['lifecycle.*'] };
    await api.call('POST', '/v1/webhooks/endpoints', { ...as, body });
    await api.call('POST', '/_control/events', {
      body: { workspaceId: demo.production.id, type: 'lifecycle.evaluated' },
    });
    await vi.waitFor(() => expect(open).toHaveLength(1));
    await vi.waitFor(async () =>
      expect(seriesIn((await scrape(api)).text, 'svc_delivery_lag_seconds')).toBeGreaterThan(0),
    );
    const inFlight = (await scrape(api)).text;
    expect(seriesIn(inFlight, 'svc_delivery_attempts_in_flight')).toBe(1);
    expect(seriesIn(inFlight, 'svc_deliveries_due')).toBe(1);

    open[0]?.writeHead(200).end();
    await api.call('POST', '/_control/settle', { body: {} });
    const { text } = await scrape(api);
    expect(seriesIn(text, 'svc_delivery_lag_seconds')).toBe(0);
    expect(seriesIn(text, 'svc_delivery_attempts_in_flight')).toBe(0);
    expect(seriesIn(text, 'svc_deliveries_due')).toBe(0);
  });

  test('counts requests by operation and status; all unknown operations share one label', async () => {
    await using api = await startApi();
    await api.call('GET', '/v1/me', as);
    await api.call('GET', '/v1/me');
    for (let count = 0; count <= 300; count++) await api.call('GET', '/v1/webhooks/endpoints', as);
    for (const path of ['/v1/nothing', '/v1/nothing/else']) await api.call('GET', path, as);
    const { text } = await scrape(api);
    const values = {
      'svc_api_requests_total{operation="retrieveIdentity",status="200"}': 1,
      'svc_api_requests_total{operation="retrieveIdentity",status="401"}': 1,
      'svc_api_requests_total{operation="listWebhookEndpoints",status="200"}': 299,
      'svc_api_requests_total{operation="listWebhookEndpoints",status="429"}': 2,
      'svc_api_requests_total{operation="unknown",status="404"}': 2,
      'svc_api_request_duration_seconds_count{operation="retrieveIdentity"}': 2,
    };
    for (const [series, value] of Object.entries(values))
      expect([series, seriesIn(text, series)]).toEqual([series, value]);
    expect(text).not.toContain('_control');
  });

  test('keeps separate counts for each server in a process', async () => {
    await using one = await startApi();
    await using two = await startApi();
    await one.call('GET', '/v1/me', as);
    const series = 'svc_api_requests_total{operation="retrieveIdentity",status="200"}';
    expect(seriesIn((await scrape(one)).text, series)).toBe(1);
    expect(seriesIn((await scrape(two)).text, series)).toBeUndefined();
  });
});

describe('Access to the metrics', () => {
  test('without an admin token, is open to everyone who may use the control API', async () => {
    await using api = await startApi();
    expect((await scrape(api)).status).toBe(200);
    expect((await scrape(api, { headers: { origin: 'https://evil.example' } })).status).toBe(403);
  });

  test('with an admin token, requires that token', async () => {
    await using api = await startApi({ adminToken: TEST_ADMIN_TOKEN });
    expect((await scrape(api)).status).toBe(401);
    expect((await scrape(api, { headers: { authorization: 'Bearer guess' } })).status).toBe(401);
    expect((await scrape(api, { headers: { authorization: `Bearer ${TEST_ADMIN_TOKEN}` } })).status).toBe(200);
  });

  test('in the strict profile without an admin token, is refused', async () => {
    await using api = await startApi({ strict: true, seed: {} });
    expect((await scrape(api)).status).toBe(403);
  });
});

describe('The Prometheus text', () => {
  test('follows the conventions: each metric has help, a type and base units, and only counters end in _total', async () => {
    await using api = await startApi();
    await api.call('GET', '/v1/me', as);
    const { text } = await scrape(api);
    const lines = text.split('\n').filter((line) => line !== '');
    const types = new Map(
      lines.flatMap((line) => {
        const [, name = '', type = ''] = /^# TYPE (\S+) (\w+)$/.exec(line) ?? [];
        return name ? [[name, type] as const] : [];
      }),
    );
    const own = [...types.keys()].filter((name) => name.startsWith('svc_'));
    expect(own.length).toBeGreaterThan(12);
    for (const name of own) {
      const type = types.get(name);
      expect(name).toMatch(/^[a-z][a-z0-9]*(?:_[a-z0-9]+)*$/);
      expect([name, name.endsWith('_total')]).toEqual([name, type === 'counter']);
      expect(name).not.toMatch(/_(?:ms|milliseconds|minutes|count|sum|bucket|gauge|counter|histogram)(?:_|$)/);
      expect(lines.filter((line) => line.startsWith(`# HELP ${name} `))).toHaveLength(1);
      if (type !== 'histogram') continue;
      const count = lines.find((line) => line.startsWith(`${name}_count`))?.split(' ')[1];
      const last = lines.find((line) => line.startsWith(`${name}_bucket`) && line.includes('le="+Inf"'));
      expect([name, last?.split(' ')[1]]).toEqual([name, count]);
    }
    for (const line of lines.filter((found) => !found.startsWith('#'))) {
      expect(line).toMatch(
        /^[a-zA-Z_:][\w:]*(?:\{(?:[a-z]\w*="(?:[^"\\\n]|\\.)*",?)+\})? (?:[-+]?[\d.e+-]+|Na[nN]|[+-]Inf)$/,
      );
      const name = /^[\w:]+/.exec(line)?.[0] ?? '';
      expect([line, types.has(name) || types.has(name.replace(/_(?:bucket|sum|count)$/, ''))]).toEqual([line, true]);
    }
  });
});
