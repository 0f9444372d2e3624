import { describe, expect, test } from 'vitest';
import type { TransferTable } from '../../../src/storage/transfer/tables.ts';
import { problemOfRow } from '../../../src/transfer/check-row.ts';

const ULID = '01R5H4W5000000000000000000';
const LAST_ULID = '7NJ131DR00ZZZZZZZZZZZZZZZZ';
const BEYOND = '7ZZZZZZZZZZZZZZZZZZZZZZZZZ';
const YEAR_10889 = 2 ** 48 - 1;

const NUMBER = /_(?:at|until|failures|reset|token)$|^(?:attempt|number|retry|profiles)$|week_starts_on/;

/** Returns the problem of a row that has only these columns, each of which may be null. */
const problemOf = (table: TransferTable['name'], row: Record<string, string | number | null>) =>
  problemOfRow(
    table,
    Object.keys(row).map((name) => ({ name, type: NUMBER.test(name) ? 'bigint' : 'text', isNullable: true })),
    row,
  );

type Case = [TransferTable['name'], Record<string, string | number | null>];

describe('A row of an export', () => {
  test.each<Case>([
    ['organizations', { id: 'org_mine' }],
    ['credentials', { id: 'key_1', workspace_id: 'wsp_acme', user_id: null }],
    ['credentials', { id: `pat_${ULID}`, workspace_id: null, user_id: 'usr_1' }],
    ['webhook_endpoints', { id: `whe_${ULID}`, url: 'http://127.0.0.1:9/', subscribed_events: '["*","lifecycle.*"]' }],
    ['deliveries', { id: `whd_${ULID}`, event_id: `evt_${ULID}`, payload_event_id: `evt_${ULID}` }],
    ['deliveries', { id: `whd_${LAST_ULID}` }],
    ['delivery_attempts', { id: ULID, delivery_id: `whd_${ULID}`, number: 1 }],
    ['events', { id: `evt_${ULID}`, subject_id: BEYOND, created_at: YEAR_10889 }],
    ['profiles', { id: 'prf_1', external_id: BEYOND, active_days: '2031-03-012031-03-02', created_at: -YEAR_10889 }],
    ['profiles', { active_days: '' }],
    ['workspaces', { timezone: 'Europe/Berlin', week_starts_on: 6 }],
    ['workspaces', { timezone: null, week_starts_on: null }],
    ['workspaces', { image: 'https://cdn.acme.example/image.png' }],
    ['organizations', { logo: null }],
    ['delivery_attempts', { request_headers: '{"host":"a"}', response_headers: null }],
    ['lifecycles', { cycle_id: null, cycle_trigger: null, cycle_started_at: null }],
    ['lifecycles', { source: '{"kind":"push"}' }],
    ['lifecycles', { source: '{"kind":"ndjson","location":"/a","schedule":"PT5M","imported":true}' }],
    ['lifecycles', { cycle_id: `evl_${ULID}`, cycle_trigger: 'schedule', cycle_started_at: 0 }],
    ['delivery_queue', { attempt: 2_000_000_000, due_at: 0 }],
  ])('is used: %s %j', (table, row) => {
    expect(problemOf(table, row)).toBeUndefined();
  });

  test('may contain JSON with 1,000 levels, and not more', () => {
    const nested = (levels: number) => `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`;
    expect(problemOf('events', { body: nested(1_000) })).toBeUndefined();
    expect(problemOf('events', { body: nested(1_001) })).toBe('events.body is nested more than 1,000 levels deep');
    expect(problemOf('events', { type: nested(1_001) })).toBeUndefined();
  });

  const NO_ID = 'must have the form of an id of this service';
  test.each<[...Case, string]>([
    ['organizations', { id: `org_${BEYOND}` }, `organizations.id ${NO_ID}`],
    ['organizations', { id: 'usr_1' }, `organizations.id ${NO_ID}`],
    ['users', { id: 'usr_\u{1F600}' }, `users.id ${NO_ID}`],
    ['users', { id: `usr_${'x'.repeat(65)}` }, `users.id ${NO_ID}`],
    ['webhook_secrets', { endpoint_id: `whe_${BEYOND}` }, `webhook_secrets.endpoint_id ${NO_ID}`],
    ['events', { id: 'evt_mine' }, `events.id ${NO_ID}`],
    ['deliveries', { id: `whd_${BEYOND}` }, `deliveries.id ${NO_ID}`],
    ['deliveries', { id: 'whd_7NJ131DR010000000000000000' }, `deliveries.id ${NO_ID}`],
    ['deliveries', { event_id: 'evt_1' }, `deliveries.event_id ${NO_ID}`],
    ['delivery_attempts', { id: '1' }, `delivery_attempts.id ${NO_ID}`],
    [
      'lifecycles',
      { source: '{"kind":"ndjson","location":{},"schedule":null}' },
      'lifecycles.source must be a data source',
    ],
    [
      'lifecycles',
      { source: '{"kind":"ndjson","location":"/a","schedule":5}' },
      'lifecycles.source must be a data source',
    ],
    ['lifecycles', { source: '{"kind":"other"}' }, 'lifecycles.source must be a data source'],
    ['lifecycles', { cycle_id: 'evl_x' }, `lifecycles.cycle_id ${NO_ID}`],
    ['lifecycles', { cycle_id: `evl_${ULID}`, cycle_trigger: null, cycle_started_at: null }, 'not only cycle_id'],
    ['lifecycles', { cycle_trigger: 'schedule', cycle_started_at: 0 }, 'not only cycle_trigger, cycle_started_at'],
    ['lifecycles', { cycle_started_at: YEAR_10889 + 1 }, 'lifecycles.cycle_started_at must be from'],
    ['delivery_queue', { due_at: -YEAR_10889 - 1 }, 'delivery_queue.due_at must be from'],
    ['delivery_queue', { attempt: 2_000_000_001 }, 'delivery_queue.attempt must be from -2000000000 to 2000000000'],
    ['lifecycles', { lease_token: Number.MAX_SAFE_INTEGER }, 'lifecycles.lease_token must be from'],
    [
      'webhook_endpoints',
      { subscribed_events: '[5,null,{}]' },
      'must be a string that contains a JSON array of strings',
    ],
    ['webhook_endpoints', { url: 'javascript:alert(1)' }, 'webhook_endpoints.url must be an http or https URL'],
    ['webhook_endpoints', { url: 'https://' }, 'webhook_endpoints.url must be an http or https URL'],
    ['organizations', { logo: 'javascript:alert(1)' }, 'organizations.logo must be an absolute http or https URL'],
    ['workspaces', { image: 'data:text/html,x' }, 'workspaces.image must be an absolute http or https URL'],
    ['delivery_attempts', { request_headers: '{"a":1}' }, 'must be a string that contains a JSON object of strings'],
    ['delivery_attempts', { response_headers: '["a"]' }, 'must be a string that contains a JSON object of strings'],
    ['workspaces', { timezone: 'Mars/Base' }, 'workspaces.timezone must be the name of an IANA time zone'],
    ['workspaces', { timezone: '' }, 'workspaces.timezone must be the name of an IANA time zone'],
    ['workspaces', { week_starts_on: 7 }, 'workspaces.week_starts_on must be one of: 0, 1, 2, 3, 4, 5, 6'],
    ['profiles', { active_days: '2031-02-30' }, 'profiles.active_days must be days such as'],
    ['profiles', { active_days: 'zzzz' }, 'profiles.active_days must be days such as'],
  ])('is refused: %s %j', (table, row, problem) => {
    expect(problemOf(table, row)).toContain(problem);
  });
});
