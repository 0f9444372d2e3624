import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { createWebhooks } from '@svc/webhooks';
import { createNodeHandler } from '@svc/webhooks/node';
import { describe, expect, it } from 'vitest';
import { EVALUATED, hmac, KEY, NOW_SECONDS, SECRET, signedMessage } from '../support/message.ts';
import { runCli } from './run-cli.ts';

const cli = fileURLToPath(new URL('../../dist/cli.js', import.meta.url));
const at = ['--at', String(NOW_SECONDS)];

/** A captured request as HTTP text. */
function captured(
  parts: Parameters<typeof signedMessage>[0],
  change: (body: Buffer) => string | Buffer = (body) => body,
): Buffer {
  const { headers, body } = signedMessage(parts);
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  return Buffer.concat([
    Buffer.from(`POST /webhooks HTTP/1.1\r\n${lines.join('')}\r\n`),
    Buffer.from(change(Buffer.from(body))),
  ]);
}

describe('svc-webhooks verify', () => {
  const verify = (input: string | Buffer, ...args: string[]) => runCli(['verify', '-s', SECRET, ...at, ...args], input);

  it('reports what it verified', () => {
    const { status, stdout } = verify(captured({ body: EVALUATED }));
    expect([status, stdout]).toEqual([
      0,
      'ok     signature: the secret verifies it: lifecycle.evaluated, event evt_2\n',
    ]);
  });

  it('says that an empty body is the mistake, and not the secret', () => {
    const { status, stdout } = verify(captured({ body: EVALUATED }, () => ''));
    expect([status, stdout]).toEqual([1, expect.stringMatching(/^WRONG {2}body: it is empty, .* read it first\.\n$/)]);
  });

  it('reads a request as JSON, and a delivery as the API shows it', () => {
    const { headers, body } = signedMessage({ body: EVALUATED });
    expect(verify(JSON.stringify({ headers, body })).status).toBe(0);
    const delivery = { requestHeaders: headers, requestBody: JSON.parse(String(body)) };
    expect(verify(JSON.stringify({ delivery })).status).toBe(0);
    const other = { requestHeaders: headers, requestBody: { ...JSON.parse(String(body)), id: 'evt_9' } };
    expect(verify(JSON.stringify({ delivery: other }))).toMatchObject({
      status: 1,
      stdout: expect.stringContaining('does not have the raw body, only its JSON value'),
    });
  });

  it.each<[string, (headers: Record<string, string>, body: string) => unknown]>([
    [
      'a Lambda event whose body is in base64',
      (headers, body) => ({ headers, body: Buffer.from(body).toString('base64'), isBase64Encoded: true }),
    ],
    [
      'the event of a load balancer with multi-value headers',
      (headers, body) => ({
        multiValueHeaders: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, [value]])),
        body,
      }),
    ],
    [
      'a HAR file',
      (headers, text) => {
        const list = Object.entries(headers).map(([name, value]) => ({ name, value }));
        return { log: { entries: [{ request: { headers: list, postData: { text } } }, { request: { headers: [] } }] } };
      },
    ],
  ])('reads %s, and detects a change in it', (_, toJson) => {
    const { headers, body } = signedMessage({ body: EVALUATED });
    expect(verify(JSON.stringify(toJson(headers, String(body)))).status).toBe(0);
    const changed = String(body).replace('evt_2', 'evt_3');
    expect(verify(JSON.stringify(toJson(headers, changed))).stdout).toMatch(
      /^WRONG {2}signature: the secret does not verify it/,
    );
  });

  it('reads the lines of curl -v', () => {
    const { headers, body } = signedMessage({ body: EVALUATED });
    const lines = Object.entries(headers).map(([name, value]) => `> ${name}: ${value}`);
    const head = ['* Connected to x', '> POST /webhooks HTTP/1.1', ...lines, '> ', ''].join('\n');
    expect(verify(head + body).status).toBe(0);
    expect(verify(`${head}${body} `).stdout).toMatch(/^WRONG {2}signature: the secret does not verify it/);
    expect(verify(String(body), ...lines.flatMap((line) => ['-H', line])).status).toBe(0);
  });

  it('reads headers from the command line', () => {
    const { headers, body } = signedMessage();
    const lines = Object.entries(headers).flatMap(([name, value]) => ['-H', `${name}: ${value}`]);
    expect(verify(String(body), ...lines).status).toBe(0);
  });

  it.each<[string, (body: Buffer) => string | Buffer, RegExp]>([
    [
      'a re-serialised body',
      (body) => JSON.stringify(JSON.parse(String(body)), null, 2),
      /parsed and serialised again/,
    ],
    ['a line feed that an editor added', (body) => `${body}\n`, /line feed was added/],
    ['a byte order mark', (body) => `\ufeff${body}`, /byte order mark was added/],
    ['UTF-16', (body) => Buffer.from(String(body), 'utf16le'), /UTF-16/],
    ['a body encoded twice', (body) => JSON.stringify(String(body)), /encoded twice/],
    ['base64 of the body', (body) => body.toString('base64'), /base64 of the signed body/],
    ['a percent-encoded body', (body) => encodeURIComponent(String(body)), /percent-encoded/],
    [
      'sorted keys',
      (body) => JSON.stringify(Object.fromEntries(Object.entries(JSON.parse(String(body))).toSorted())),
      /keys in another order/,
    ],
    ['another event', (body) => String(body).replace('evt_2', 'evt_3'), /secret is probably that of another endpoint/],
  ])('explains %s', (_, change, explanation) => {
    const { status, stdout } = verify(captured({ body: EVALUATED }, change));
    expect(status).toBe(1);
    expect(stdout).toMatch(/^WRONG {2}signature: the secret does not verify it/);
    expect(stdout).toMatch(explanation);
  });

  it.each<[string, Buffer, RegExp]>([
    ['the text of the secret as the key', Buffer.from(SECRET), /with its prefix: decode/],
    ['the text after the prefix as the key', Buffer.from(SECRET.slice(6)), /decode it as base64url/],
    [
      'base64 as PHP decodes it',
      Buffer.from(SECRET.slice(6).replace(/[-_]/g, ''), 'base64'),
      /'base64url'\) in JavaScript, base64\.urlsafe_b64decode\(.*\) in Python, or base64\.RawURLEncoding\..* in Go/,
    ],
    ['base64 as Go decodes it', Buffer.alloc(0), /decoded the secret as base64, but it is base64url/],
    ['another secret', Buffer.alloc(32, 1), /secret is probably that of another endpoint/],
  ])('explains that the signer used %s', (_, key, explanation) => {
    expect(verify(captured({ key })).stdout).toMatch(explanation);
  });

  it('explains that a request is old, and verifies it with --at request', () => {
    const old = captured({ timestamp: NOW_SECONDS - 1000 });
    expect(verify(old)).toMatchObject({ status: 1, stdout: expect.stringMatching(/1000 s old.*--at request/) });
    expect(runCli(['verify', '-s', SECRET, '--at', 'request'], old).status).toBe(0);
  });

  it('says when the content is wrong but the signature is valid', () => {
    expect(verify(captured({ body: '[]' }))).toMatchObject({
      status: 1,
      stdout: expect.stringContaining('The signature is valid'),
    });
  });
});

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

describe('svc-webhooks send', () => {
  it("posts a signed message, and exits according to the receiver's response", async () => {
    const webhooks = createWebhooks({ secrets: SECRET });
    const server = createServer(createNodeHandler(webhooks)).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
    const send = async (secret: string, to = url) => {
      const child = spawn(process.execPath, [cli, 'send', to, '-s', secret, '--id', 'whd_1']);
      let stdout = '';
      child.stdout.on('data', (piece) => {
        stdout += piece;
      });
      const [status] = await once(child, 'close');
      return [status, stdout.replace(/\d+ ms/, 'n ms')];
    };
    expect(await send(SECRET)).toEqual([0, 'whd_1: 200 OK in n ms\n{"outcome":"unhandled"}\n']);
    expect(await send(SECRET, url.slice('http://'.length))).toEqual(await send(SECRET));
    expect((await send(`whsec_${'A'.repeat(32)}`))[0]).toBe(1);
    server.close();
  });

  it('signs an event about the subject that is named', () => {
    const { stdout } = runCli(['sign', '-s', SECRET, '--event', 'lifecycle.evaluated', '--subject', 'wsp_1']);
    expect(stdout).toContain('"subject":{"id":"wsp_1","type":"workspace","url":"/v1/workspaces/wsp_1"}');
    const { stdout: sample } = runCli(['sign', '-s', SECRET, '--event', 'lifecycle.evaluated']);
    expect(sample).toContain('"url":"/v1/workspaces/wsp_sample"');
  });

  it('warns about an event type that is not in the catalog, and accepts one that is', () => {
    const sign = (event: string) => runCli(['sign', '-s', SECRET, '--event', event]);
    expect(sign('lifecyle.evaluated')).toMatchObject({
      status: 0,
      stdout: expect.stringContaining('"type":"lifecyle.evaluated"'),
      stderr:
        'Not in the catalog: lifecyle.evaluated. It has lifecycle.evaluated, webhook.endpoint.auto_disabled, webhook.ping.\n',
    });
    expect(sign('lifecycle.evaluated')).toMatchObject({ status: 0, stderr: '' });
  });

  it('says why there is no response', () => {
    expect(runCli(['send', 'http://127.0.0.1:1/', '-s', SECRET])).toMatchObject({
      status: 1,
      stderr: expect.stringMatching(/no response: \S+/),
    });
  });
});

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
    [['secret', '--check', SECRET], /^secret does not take this: whsec_…\n/],
    [['secret', '-s', SECRET], /--secret requires --check/],
    [['secret', '--check'], /Give --secret, or set WEBHOOK_SECRET/],
    [['sign', '-s', SECRET, '--at', '1'], /^sign does not take --at\.\nRun svc-webhooks sign --help for help\.$/m],
    [['sign', '-s', SECRET, 'file'], /^sign does not take this: file/],
    [['sign', '-s', SECRET, '-e', 'a', '-b', '-'], /--event and --subject, or --body/],
    [['sign', '-s', SECRET, '--subject', 'wsp_1', '-b', '-'], /--event and --subject, or --body/],
    [['sign', '-s', SECRET, '--subject', 'wsp_1'], /^The sample of webhook.ping has no subject/],
    [['sign', '-s', SECRET, '--id', 'a\nb'], /printable ASCII/],
    [['sign', '-s', SECRET, '--timestamp', 'now'], /Not a number of seconds/],
    [['sign', '-s'], /^Option '-s, --secret <value>' argument missing\.\n/],
    [['sign', '--nope'], /^Unknown option '--nope'\.\n/],
    [['verify', '-s', SECRET], /The request is empty/],
    [['verify', '-s', SECRET, '-b', '-'], /--body requires --header/],
    [['verify', '-s', SECRET, '-H', 'a: b', 'file'], /not from a file/],
    [['verify', '-s', SECRET, '-H', 'nonsense'], /Not a header/],
    [['verify', '-s', SECRET, 'a', 'b'], /^verify does not take this: b/],
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
});
