import { describe, expect, it } from 'vitest';
import { runCli } from '../support/run-cli.ts';

describe('svc-webhooks secret', () => {
  it('generates a secret that its check accepts', () => {
    const { stdout } = runCli(['secret']);
    expect(runCli(['secret', '--check', '-s', stdout.trim()])).toMatchObject({
      status: 0,
      stdout: 'well-formed, 32 bytes\n',
    });
    expect(runCli(['secret', '--check', '-s', 'whpk_x'])).toMatchObject({
      status: 1,
      stderr: expect.stringContaining('v1a'),
    });
  });
});
