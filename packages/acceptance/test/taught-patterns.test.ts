import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root, run } from '@svc/testing';
import { expect, test } from 'vitest';
import { svcMock } from '../src/svc-mock.ts';

/** The places where a text subscribes an endpoint to `*`, which the service document does not show. */
const subscribesToAll = (text: string) =>
  text.match(/(?:subscribedEvents['"]?|--events)[:= ]+\[?\s*['"]?\*(?!\.)/g) ?? [];

test('No README, guide, example or sample subscribes to *', async () => {
  const { stdout } = await run('git', [
    'ls-files',
    '*.md',
    'examples',
    'docker',
    'action',
    'packages/*/test/documented',
  ]);
  const files = stdout.split('\n').filter((file) => file && !file.endsWith('api-report.md'));
  files.push('packages/contract/src/code-samples.ts');
  expect(files.length).toBeGreaterThan(100);
  const found = files.filter((file) => subscribesToAll(readFileSync(join(root, file), 'utf8')).length > 0);
  expect(found).toEqual([]);
});

test.each(['listen', 'endpoints create'])(
  'svc-mock %s says that the real service may not accept its default *',
  async (words) => {
    const { stdout } = await svcMock('', [...words.split(' '), '--help']);
    expect(stdout.replaceAll(/\s+/g, ' ')).toContain(
      '(default: *, which means every event type; the real service may not accept *)',
    );
  },
);

test.each([
  ["subscribedEvents: ['*']", 1],
  ['"subscribedEvents": ["*"]', 1],
  ['--events "*"', 1],
  ["subscribedEvents: ['lifecycle.*']", 0],
  ["webhooks.on('*', () => {})", 0],
])('%s is found %i times', (text, count) => {
  expect(subscribesToAll(text)).toHaveLength(count);
});
