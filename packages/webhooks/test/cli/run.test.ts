import { closeSync, openSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { SECRET } from '../support/message.ts';
import { runCli } from '../support/run-cli.ts';

describe('svc-webhooks', () => {
  it('prints its usage', () => {
    expect(runCli(['--help'])).toMatchObject({ status: 0, stdout: expect.stringContaining('svc-webhooks <command>') });
  });

  it('prints the options of each command', () => {
    for (const command of ['sign', 'verify', 'send', 'secret']) {
      const { status, stdout } = runCli([command, '--help']);
      expect([status, stdout.split('\n')[0]]).toEqual([
        0,
        expect.stringMatching(new RegExp(`^svc-webhooks ${command} .*: `)),
      ]);
      expect(stdout).toContain('Exit codes: 0');
      expect(runCli(['help', command]).stdout).toBe(stdout);
    }
    expect(runCli(['verify', '--help']).stdout).toContain('--at');
    expect(runCli(['sign', '--help']).stdout).not.toContain('--at');
  });

  it.each(['--version', '-V'])('prints its version with %s', (option) => {
    expect(runCli([option])).toMatchObject({
      status: 0,
      stdout: expect.stringMatching(/^\d+\.\d+\.\d+(?:-[\w.]+)?\n$/),
    });
  });

  it.each<[string[], RegExp]>([
    [['secret', '--check', SECRET], /^secret does not accept the argument: whsec_…\n/],
    [['secret', '-s', SECRET], /--secret requires --check/],
    [['secret', '--check'], /Pass --secret, or set WEBHOOK_SECRET/],
    [['sign', '-s', SECRET, '--at', '1'], /^sign does not accept --at\.\nRun svc-webhooks sign --help for help\.$/m],
    [['sign', '-s', SECRET, 'file'], /^sign does not accept the argument: file/],
    [['sign', '-s', SECRET, '-e', 'a', '-b', '-'], /--body cannot be combined with --event or --subject/],
    [['sign', '-s', SECRET, '--subject', 'wsp_1', '-b', '-'], /--body cannot be combined with --event or --subject/],
    [
      ['sign', '-s', SECRET, '--subject', 'wsp_1'],
      /^--subject cannot be used with webhook.ping: its sample has no subject/,
    ],
    [['sign', '-s', SECRET, '--id', 'a\nb'], /printable ASCII/],
    [['sign', '-s', SECRET, '--timestamp', 'now'], /Not a number of seconds/],
    [['sign', '-s'], /^Option '-s, --secret <value>' argument missing\.\n/],
    [['sign', '--nope'], /^Unknown option '--nope'\.\n/],
    [['verify', '-s', SECRET], /The request is empty/],
    [['verify', '-s', SECRET, '-b', '-'], /--body requires --header/],
    [['verify', '-s', SECRET, '-H', 'a: b', 'file'], /not in a file/],
    [['verify', '-s', SECRET, '-H', 'nonsense'], /Not a header/],
    [['verify', '-s', SECRET, 'a', 'b'], /^verify does not accept the argument: b/],
    [['verify', '-s', SECRET, '/no/such'], /Cannot read/],
    [['send', '-s', SECRET], /http or https/],
    [['send', 'ftp://x/', '-s', SECRET], /http or https/],
    [['send', 'http://me:pass@x/', '-s', SECRET], /user name/],
    [['sign', '-s', SECRET, '--evnt', 'a'], /'--evnt'\. Did you mean --event\?\nRun svc-webhooks sign --help for help/],
    [['send', '--at', '1', '--nope'], /^Unknown option '--nope'\.\nRun svc-webhooks send --help for help/],
    [['verfy'], /^No such command: verfy\. Did you mean verify\?\nRun/],
    [['hello'], /^No such command: hello\nRun svc-webhooks --help for help/],
    [[], /^The command is missing\.\nRun svc-webhooks --help for help/],
  ])('says what is wrong with %j, in two lines', (args, message) => {
    const { status, stdout, stderr } = runCli(args);
    expect([status, stdout]).toEqual([2, '']);
    expect(stderr).toMatch(message);
    expect(stderr.trimEnd().split('\n')).toHaveLength(2);
    expect(stderr).not.toContain(SECRET);
  });

  it('does not print a secret that was given without its prefix', () => {
    const rest = SECRET.slice('whsec_'.length);
    for (const args of [['secret', '--check', `x${rest}`], ['verify', 'a', `x=${rest}`], [`x${rest}`]]) {
      const { status, stderr } = runCli(args);
      expect(status).toBe(2);
      expect(stderr).toContain('…');
      expect(stderr).not.toContain(rest.slice(0, 8));
    }
  });

  it('refuses a request without a timestamp, even with --at request', () => {
    const refused = runCli(['verify', '-s', SECRET, '--at', 'request', '-H', 'webhook-id: a'], '{}');
    expect(refused).toMatchObject({
      status: 1,
      stdout: 'WRONG  headers: webhook-timestamp, webhook-signature missing. A proxy may have removed them.\n',
    });
  });

  it.each([
    [[]],
    [['nope']],
    [['verify']],
    [['send', 'nowhere', '-s', SECRET]],
    [['sign', '--nope']],
    [['sign', '-s', SECRET, '-b', '/no/such']],
  ])('exits with 2 on a mistake in the command: %j', (args) => {
    expect(runCli(args)).toMatchObject({ status: 2, stdout: '' });
  });

  it.each([[['--help']], [['secret']], [['sign', '-s', SECRET]]])(
    'fails with one line if the disk of its standard output is full: %j',
    (args) => {
      const full = openSync('/dev/full', 'w');
      const { status, stderr } = runCli(args, '', {}, full);
      closeSync(full);
      expect([status, stderr]).toEqual([1, 'Cannot write to standard output: no space left on device.\n']);
    },
  );
});
