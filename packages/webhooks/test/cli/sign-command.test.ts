import { describe, expect, it } from 'vitest';
import { hmac, KEY, SECRET } from '../support/message.ts';
import { runCli } from '../support/run-cli.ts';

describe('svc-webhooks sign', () => {
  it('prints what verify reads', () => {
    for (const args of [[], ['-e', 'lifecycle.evaluated'], ['-e', 'profile.merged']]) {
      const signed = runCli(['sign', ...args], '', { WEBHOOK_SECRET: SECRET });
      expect(runCli(['verify'], signed.stdout, { WEBHOOK_SECRET: SECRET })).toMatchObject({ status: 0, stderr: '' });
    }
  });

  it('signs a body from standard input', () => {
    const { stdout } = runCli(['sign', '-s', SECRET, '--id', 'a', '--timestamp', '5', '-b', '-'], 'hello');
    expect(stdout).toBe(
      `content-type: application/json\nwebhook-id: a\nwebhook-timestamp: 5\nwebhook-signature: v1,${hmac(KEY, 'a', 5, 'hello')}\n\nhello`,
    );
  });
});
