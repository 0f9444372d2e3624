import { describe, expect, it } from 'vitest';
import { createNpmProject } from '../support/npm-project.ts';

const TEST = `
  const { createWebhooks } = require('@svc/webhooks');
  const { generateSecret, signWebhook } = require('@svc/webhooks/testing');

  test('signs what a receiver accepts', () => {
    const secrets = generateSecret();
    const webhooks = createWebhooks({ secrets });
    const signed = signWebhook({ secrets, event: 'lifecycle.evaluated' });
    expect(webhooks.verify(signed).event.type).toBe('lifecycle.evaluated');
    expect(webhooks.check(signWebhook({ secrets: generateSecret() }))).toMatchObject({ error: { code: 'no_match' } });
  });`;

describe.each(['29', '30'])('Jest %s', (version) => {
  it('requires /testing, in Node and in jsdom, which has no TextEncoder', () => {
    using project = createNpmProject(`jest@${version}`, `jest-environment-jsdom@${version}`);
    project.write({
      'receiver.test.js': TEST,
      'lacks.jsdom.test.js': "test('jsdom has no encoder', () => expect(typeof TextEncoder).toBe('undefined'));",
    });
    const jest = (...args: string[]) => project.run(['node_modules/jest/bin/jest.js', ...args]);
    expect(() => jest('--env', 'node', 'receiver')).not.toThrow();
    expect(() => jest('--env', 'jsdom', 'receiver', 'lacks')).not.toThrow();
  });
});
