import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Document } from 'yaml';
import { ConfigError } from '../../../src/config/config.ts';
import { parseSeed } from '../../../src/config/parse-seed.ts';
import { readSeedFile } from '../../../src/config/seed-file.ts';
import { createAddressRules } from '../../../src/domain/receiver-address.ts';

const local = { local: true, addresses: createAddressRules({ allowLoopback: true, allowNetworks: [] }) };
const strict = { local: false, addresses: createAddressRules({ allowLoopback: false, allowNetworks: [] }) };

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'svc-seeds-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

function read(name: string, text: string | Buffer, rules = local) {
  const file = join(folder, name);
  writeFileSync(file, text);
  return () => parseSeed(readSeedFile(file), rules);
}

const SOUND = `# yaml-language-server: $schema=x
clock: { startAt: 2031-03-01T00:00:00Z }
users:
  - email: a.b@example.test
    name: A
    tokens:
      - { id: pat_mine, credential: svc_pat_test_a }
organizations:
  - slug: one
    name: One
    members: { a.b@example.test: Owner }
    workspaces:
      - slug: main
        name: Main
        endpoints:
          - url: http://localhost:3000/
            subscribedEvents: ['*']
`;

const tenantOf = (x: 'a' | 'b') => ({
  id: `org_${x}`,
  slug: x === 'a' ? 'one' : 'two',
  name: 'O',
  workspaces: [
    {
      id: `wsp_${x}`,
      slug: 'main',
      name: 'Main',
      apiKeys: [{ id: `key_${x}`, credential: `svc_sk_test_${x}` }],
      endpoints: [{ id: `whe_${x}`, url: 'http://localhost:3000/' }],
      profiles: [{ id: `prf_${x}`, externalId: `user-${x}` }],
    },
    ...(x === 'a' ? [{ slug: 'other', name: 'Other' }] : []),
  ],
});
const userOf = (x: 'a' | 'b') => ({
  id: `usr_${x}`,
  email: `${x}@b.test`,
  name: x,
  tokens: [{ id: `pat_${x}`, credential: `svc_pat_test_${x}` }],
});
/** A valid seed with two of everything that must be unique. */
const TWO_OF_ALL = {
  users: [userOf('a'), userOf('b')],
  organizations: [tenantOf('a'), tenantOf('b')],
  eventTypes: ['invoice.paid', 'invoice.sent'].map((type) => ({
    type,
    category: 'Billing',
    description: 'Of a bill.',
  })),
};
const keysOf = (path: string) => path.split('.').map((name) => (/^\d+$/.test(name) ? Number(name) : name));

describe('A seed file', () => {
  test('that is valid is read', () => {
    expect(read('sound.yaml', SOUND)()).toMatchObject({
      clock: { startAt: '2031-03-01T00:00:00Z' },
      users: [{ tokens: [{ id: 'pat_mine' }] }],
    });
  });

  test.each([
    ['slug: one', 'slug: ONE', 9, '"organizations.0.slug"'],
    ['name: Main', 'nmae: Main', 13, '"organizations.0.workspaces.0.name" is missing'],
    ['name: A', 'name: A\n    nmae: B', 6, '"users.0" has unknown fields: nmae'],
    ['clock:', 'colck: {}\nclock:', 2, 'it has unknown fields: colck'],
    [
      'a.b@example.test: Owner',
      'b.c@example.test: Owner',
      11,
      '"organizations.0.members.b.c@example.test": there is no such user',
    ],
    ["['*']", "['*', 'no.such']", 17, '"organizations.0.workspaces.0.endpoints.0.subscribedEvents.1"'],
    ['http://localhost:3000/', 'http://example.test/', 16, '"organizations.0.workspaces.0.endpoints.0.url"'],
    ['2031-03-01T00:00:00Z', 'tomorrow', 2, '"clock.startAt" must be an ISO 8601 instant'],
    ['2031-03-01T00:00:00Z', '9999-01-01T00:00:00Z', 2, '"clock.startAt" must be between 0001-01-02 and 9998-12-31'],
    ['2031-03-01T00:00:00Z', '0000-01-01T00:00:00Z', 2, '"clock.startAt" must be between 0001-01-02 and 9998-12-31'],
    ['pat_mine', 'key_mine', 7, '"users.0.tokens.0.id" must begin with pat_'],
    ['pat_mine', 'pat_7ZZZZZZZZZZZZZZZZZZZZZZZZZ', 7, '"users.0.tokens.0.id" must not end in a ULID whose time'],
  ])('with %j as %j is rejected with path and line', (from, to, line, says) => {
    const parse = read('wrong.yaml', SOUND.replace(from, to));
    expect(parse).toThrow(ConfigError);
    expect(parse).toThrow(`The seed is not valid (${join(folder, 'wrong.yaml')}, line ${line}): ${says}`);
  });

  test.each([
    ['users.1.id', 'usr_a', 'users.0.id'],
    ['users.1.email', 'a@b.test', 'users.0.email'],
    ['users.1.tokens.0.id', 'pat_a', 'users.0.tokens.0.id'],
    ['users.1.tokens.0.credential', 'svc_pat_test_a', 'users.0.tokens.0.credential'],
    ['organizations.1.id', 'org_a', 'organizations.0.id'],
    ['organizations.1.slug', 'one', 'organizations.0.slug'],
    ['organizations.0.workspaces.1.slug', 'main', 'organizations.0.workspaces.0.slug'],
    ['organizations.1.workspaces.0.id', 'wsp_a', 'organizations.0.workspaces.0.id'],
    ['organizations.1.workspaces.0.apiKeys.0.id', 'key_a', 'organizations.0.workspaces.0.apiKeys.0.id'],
    [
      'organizations.1.workspaces.0.apiKeys.0.credential',
      'svc_sk_test_a',
      'organizations.0.workspaces.0.apiKeys.0.credential',
    ],
    ['organizations.1.workspaces.0.endpoints.0.id', 'whe_a', 'organizations.0.workspaces.0.endpoints.0.id'],
    ['organizations.1.workspaces.0.profiles.0.id', 'prf_a', 'organizations.0.workspaces.0.profiles.0.id'],
    ['eventTypes.1.type', 'invoice.paid', 'eventTypes.0.type'],
  ])('with %s twice is rejected with path and line', (path, value, first) => {
    const document = new Document(TWO_OF_ALL);
    document.setIn(keysOf(path), value);
    const text = document.toString();
    const lines = text.split('\n').flatMap((line, index) => (line.endsWith(`: ${value}`) ? [index + 1] : []));
    const parse = read('twice.yaml', text);
    const named = path.endsWith('.credential') ? 'the same credential' : `"${value}"`;
    expect(lines.length).toBeGreaterThan(1);
    expect(parse).toThrow(
      `The seed is not valid (${join(folder, 'twice.yaml')}, line ${lines[1]}): "${path}": ${named} occurs twice, first at "${first}".`,
    );
  });

  test('with an event type of the published catalog is rejected with path and line', () => {
    const text = new Document(TWO_OF_ALL).toString().replace('invoice.sent', 'lifecycle.evaluated');
    const line = text.split('\n').findIndex((one) => one.endsWith(': lifecycle.evaluated')) + 1;
    expect(read('catalog.yaml', text)).toThrow(
      `The seed is not valid (${join(folder, 'catalog.yaml')}, line ${line}): "eventTypes.1.type": lifecycle.evaluated is already in the catalog of event types.`,
    );
  });

  test('with two of everything, and one slug in two organizations, is read', () => {
    expect(read('two.yaml', new Document(TWO_OF_ALL).toString())()).toMatchObject({ users: [{}, {}] });
  });

  test('with two entries for one profile, which are merged, is read', () => {
    const document = new Document(TWO_OF_ALL);
    document.addIn(keysOf('organizations.0.workspaces.0.profiles'), { id: 'prf_a', externalId: 'user-a', name: 'A' });
    expect(read('merged.yaml', document.toString())).not.toThrow();
  });

  test('with 100 endpoints in one workspace is read, with 101 it is rejected with path and line', () => {
    const entry = '          - url: http://localhost:3000/\n';
    const withEndpoints = (count: number) => SOUND.replace(entry, entry.repeat(count));
    expect(read('full.yaml', withEndpoints(100))).not.toThrow();
    expect(read('overfull.yaml', withEndpoints(101))).toThrow(
      `(${join(folder, 'overfull.yaml')}, line 16): "organizations.0.workspaces.0.endpoints" must have at most 100 entries`,
    );
  });

  test('in JSON is also rejected with path and line', () => {
    const parse = read('wrong.json', '{\n  "users": [\n    { "email": "x", "name": "X" }\n  ]\n}');
    expect(parse).toThrow(`(${join(folder, 'wrong.json')}, line 3): "users.0.email"`);
  });

  test('that is neither JSON nor YAML is rejected with the line', () => {
    expect(read('broken.yaml', 'users:\n  - [')).toThrow(/is neither JSON nor YAML: [^\n]+ at line 2/);
  });

  test.each([
    ['UTF-16, as Windows PowerShell writes', Buffer.from('\uFEFF{}', 'utf16le')],
    ['Latin-1', Buffer.from('users: [{ email: a@example.test, name: Zoë }]', 'latin1')],
  ])('that is not UTF-8 is rejected, and no name is changed: %s', (_encoding, bytes) => {
    const file = join(folder, 'encoding.yaml');
    expect(read('encoding.yaml', bytes)).toThrow(
      new ConfigError(`The seed file ${file} is not UTF-8. Save the file as UTF-8.`),
    );
  });

  test('whose aliases multiply its length is rejected', () => {
    const lists = Array.from(
      { length: 9 },
      (_, at) => `l${at + 1}: &l${at + 1} [${Array(9).fill(`*l${at}`).join(',')}]`,
    );
    const parse = read('aliases.yaml', ['l0: &l0 [x]', ...lists].join('\n'));
    expect(parse).toThrow(ConfigError);
    expect(parse).toThrow(/aliases\.yaml is neither JSON nor YAML: Excessive alias count/);
  });

  test('with a demo credential or a pinned secret is rejected in the strict profile', () => {
    expect(read('demo.yaml', SOUND.replace('svc_pat_test_a', 'svc_pat_test_demo_acme_owner'), strict)).toThrow(
      /line 7\): "users\.0\.tokens\.0": svc_\w+ is a public demo credential/,
    );
  });

  test('that is passed as an object is rejected with a path and no line', () => {
    expect(() => parseSeed({ users: [{}] }, local)).toThrow(/^The seed is not valid: "users\.0\.email" is missing/);
  });
});
