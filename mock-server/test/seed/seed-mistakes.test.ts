import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ConfigError } from '../../src/config/config.ts';
import { parseSeed } from '../../src/config/parse-seed.ts';
import { readSeedFile } from '../../src/config/seed-file.ts';
import { createAddressRules } from '../../src/domain/receiver-address.ts';

const local = { local: true, addresses: createAddressRules({ allowLoopback: true, allowNetworks: [] }) };
const strict = { local: false, addresses: createAddressRules({ allowLoopback: false, allowNetworks: [] }) };

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'svc-seeds-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

function read(name: string, text: string, rules = local) {
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

describe('A seed file', () => {
  test('that is sound is read', () => {
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
    ['pat_mine', 'key_mine', 7, '"users.0.tokens.0.id" must begin with pat_'],
  ])('with %j as %j is rejected with path and line', (from, to, line, says) => {
    const parse = read('wrong.yaml', SOUND.replace(from, to));
    expect(parse).toThrow(ConfigError);
    expect(parse).toThrow(`The seed is not valid (${join(folder, 'wrong.yaml')}, line ${line}): ${says}`);
  });

  test('in JSON is rejected with path and line, too', () => {
    const parse = read('wrong.json', '{\n  "users": [\n    { "email": "x", "name": "X" }\n  ]\n}');
    expect(parse).toThrow(`(${join(folder, 'wrong.json')}, line 3): "users.0.email"`);
  });

  test('that is neither JSON nor YAML is rejected with the line', () => {
    expect(read('broken.yaml', 'users:\n  - [')).toThrow(/is neither JSON nor YAML: [^\n]+ at line 2/);
  });

  test('with a demo credential or a pinned secret is rejected in the strict profile', () => {
    expect(read('demo.yaml', SOUND.replace('svc_pat_test_a', 'svc_pat_test_demo_acme_owner'), strict)).toThrow(
      /line 7\): "users\.0\.tokens\.0": everybody knows/,
    );
  });

  test('that is an object of a program has a path and no line', () => {
    expect(() => parseSeed({ users: [{}] }, local)).toThrow(/^The seed is not valid: "users\.0\.email" is missing/);
  });
});
