import assert from 'node:assert/strict';
import type { CallOptions, Probe } from '../probe.ts';
import { section } from '../statement.ts';
import { demo } from '../tenants.ts';

const { state, statements } = section('decision', 'Order of checks');
export const checksInOrder = statements;

const key = { as: demo.productionKey };
const production = `/v1/workspaces/${demo.production}`;
const noEndpoint = '/v1/webhooks/endpoints/whe_x';
const asText = { rawBody: 'x', headers: { 'content-type': 'text/plain' } };
const asBrokenJson = { rawBody: '{broken', headers: { 'content-type': 'application/json' } };
const tooLarge = { rawBody: ' '.repeat(1024 * 1024 + 1), headers: { 'content-type': 'application/json' } };

type Asked = readonly [method: string, path: string, options: CallOptions, status: number];

async function assertStatuses(probe: Probe, asked: readonly Asked[]): Promise<void> {
  for (const [method, path, options, expected] of asked) {
    const { status, text } = await probe.call(method, path, options);
    assert.equal(status, expected, `${method} ${path}: ${text}`);
  }
}

/** Uses up the rate limit of a token, because a token has a lower limit than an API key: 120 requests per minute. */
const exhaust = (probe: Probe) =>
  Promise.all(Array.from({ length: 120 }, () => probe.call('GET', '/v1/me', { as: demo.viewer })));

state(
  'order.route',
  'The route (404, 405) is checked before the credential (401)',
  async (probe) => {
    await assertStatuses(probe, [
      ['GET', '/v1/unknown', {}, 404],
      ['PUT', production, {}, 405],
      ['GET', production, {}, 401],
    ]);
  },
  'key',
);

state('order.credential', 'The credential (401) is checked before body, scope, query and resource', async (probe) => {
  await assertStatuses(probe, [
    ['PATCH', production, asText, 401],
    ['PATCH', production, tooLarge, 401],
    ['GET', '/v1/events', {}, 401],
    ['GET', production, { workspace: demo.staging }, 401],
    ['GET', '/v1/events?limit=0', {}, 401],
    ['GET', noEndpoint, {}, 401],
  ]);
});

state('order.rate-limit', 'The rate limit (429) is checked right after the credential', async (probe) => {
  await exhaust(probe);
  const viewer = { as: demo.viewer };
  await assertStatuses(probe, [
    ['GET', '/v1/unknown', viewer, 404],
    ['GET', '/v1/me', { as: `${demo.viewer}x` }, 401],
    ['GET', '/v1/me', viewer, 429],
    ['PATCH', production, { ...viewer, ...asText }, 429],
    ['PATCH', production, { ...viewer, ...tooLarge }, 429],
    ['PATCH', production, { ...viewer, body: { name: 'n' } }, 429],
    ['GET', production, { ...viewer, workspace: demo.staging }, 429],
    ['GET', '/v1/events?limit=0', { ...viewer, workspace: demo.production }, 429],
    ['GET', noEndpoint, { ...viewer, workspace: demo.production }, 429],
  ]);
});

state(
  'order.body-type',
  'The body’s type and size (415, 413) are checked before scope and role (400, 403)',
  async (probe) => {
    await assertStatuses(probe, [
      ['PATCH', production, { as: demo.viewer, ...asText }, 415],
      ['PATCH', production, { as: demo.viewer, ...tooLarge }, 413],
      ['PATCH', production, { as: demo.stranger, ...asText }, 415],
      ['PATCH', noEndpoint, { as: demo.owner, ...asText }, 415],
      ['PATCH', production, { as: demo.owner, workspace: demo.staging, ...asText }, 415],
    ]);
  },
);

state(
  'order.scope',
  'Scope, membership and role (400, 403) are checked before query and body: if the role is not sufficient, the API returns 403 for every body',
  async (probe) => {
    const viewer = { as: demo.viewer };
    const stranger = { as: demo.stranger, workspace: demo.production };
    await assertStatuses(probe, [
      ['PATCH', production, { ...viewer, ...asBrokenJson }, 403],
      ['PATCH', production, { ...viewer, body: { name: '' } }, 403],
      ['PATCH', production, { as: demo.stranger, body: { name: '' } }, 403],
      ['GET', '/v1/events?limit=0', stranger, 403],
      ['GET', '/v1/search', stranger, 403],
      ['GET', '/v1/workspaces?limit=0', key, 403],
      ['GET', '/v1/organizations?expand=members', key, 403],
      ['GET', '/v1/events?limit=0', { ...key, workspace: demo.staging }, 403],
    ]);
  },
);

state('order.role', 'The role (403) is checked before the resource (404)', async (probe) => {
  const viewer = { as: demo.viewer, workspace: demo.production };
  await assertStatuses(probe, [
    ['PATCH', noEndpoint, { ...viewer, body: {} }, 403],
    ['DELETE', noEndpoint, viewer, 403],
    ['POST', `${noEndpoint}/rotate-secret`, viewer, 403],
    ['POST', `${noEndpoint}/send-test-event`, viewer, 403],
    ['POST', '/v1/webhooks/deliveries/whd_x/replay', viewer, 403],
    ['GET', noEndpoint, viewer, 404],
  ]);
});

state(
  'order.input',
  'Query and body (400) are checked before the resource (404) and the state of the resource (409)',
  async (probe) => {
    await assertStatuses(probe, [
      ['PATCH', noEndpoint, { ...key, body: { active: 'no' } }, 400],
      ['PATCH', noEndpoint, { ...key, ...asBrokenJson }, 400],
      ['PATCH', noEndpoint, { ...key, body: { url: 'http://receiver.test/' } }, 400],
      ['PATCH', noEndpoint, { ...key, body: { subscribedEvents: ['made.up'] } }, 400],
      ['PATCH', noEndpoint, { ...key, body: {} }, 404],
      ['PATCH', production, { ...key, body: { slug: 'staging', weekStartsOn: 7 } }, 400],
      ['PATCH', production, { ...key, body: { slug: 'staging' } }, 409],
    ]);
  },
);
