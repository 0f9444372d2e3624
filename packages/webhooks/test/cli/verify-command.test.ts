import { describe, expect, it } from 'vitest';
import { EVALUATED, NOW_SECONDS, SECRET, signedMessage } from '../support/message.ts';
import { runCli, runInShell } from '../support/run-cli.ts';

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
      'ok     signature: the secret verifies the request: lifecycle.evaluated, event evt_2\n',
    ]);
  });

  it('says that an empty body is the mistake, and not the secret', () => {
    const { status, stdout } = verify(captured({ body: EVALUATED }, () => ''));
    expect([status, stdout]).toEqual([1, expect.stringMatching(/^WRONG {2}body: it is empty, .* read it first\.\n$/)]);
  });

  it.each([
    ['standard input', '< /dev/zero'],
    ['a file', '/dev/zero'],
  ])('stops reading an endless input: %s', (_what, input) => {
    const { status, stdout, stderr } = runInShell(`verify -s ${SECRET} ${input}`);
    expect([status, stdout]).toEqual([2, '']);
    expect(stderr).toMatch(/^Cannot read (?:-|\/dev\/zero): the input has more than 64 MiB\.\nRun svc-webhooks --help/);
  });

  it('finds the request in a large recording of a browser', () => {
    const { headers, body } = signedMessage({ body: EVALUATED });
    const recorded = Object.entries(headers).map(([name, value]) => ({ name, value }));
    const entries = [
      { request: { headers: [], postData: { text: 'x'.repeat(20 * 1024 * 1024) } } },
      { request: { headers: recorded, postData: { text: Buffer.from(body).toString() } } },
    ];
    expect(verify(JSON.stringify({ log: { entries } })).status).toBe(0);
  });

  it('rejects a request whose JSON is nested too deeply', () => {
    const nested = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;
    const { status, stderr } = verify(`{"headers":{},"body":${nested}}`);
    expect([status, stderr]).toEqual([2, expect.stringMatching(/^The JSON of the request is nested too deeply\.\n/)]);
  });

  it('reads a request as JSON, and a delivery as the API shows it', () => {
    const { headers, body } = signedMessage({ body: EVALUATED });
    expect(verify(JSON.stringify({ headers, body })).status).toBe(0);
    const delivery = { requestHeaders: headers, requestBody: JSON.parse(String(body)) };
    expect(verify(JSON.stringify({ delivery })).status).toBe(0);
    const other = { requestHeaders: headers, requestBody: { ...JSON.parse(String(body)), id: 'evt_9' } };
    expect(verify(JSON.stringify({ delivery: other }))).toMatchObject({
      status: 1,
      stdout: expect.stringContaining('has only the JSON value of the body, not the raw body'),
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
    ['the event of an emulator of AWS', (headers, body) => ({ headers, multiValueHeaders: {}, body })],
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
      /^WRONG {2}signature: the secret does not verify the request/,
    );
  });

  it('reads the lines of curl -v', () => {
    const { headers, body } = signedMessage({ body: EVALUATED });
    const lines = Object.entries(headers).map(([name, value]) => `> ${name}: ${value}`);
    const head = ['* Connected to x', '> POST /webhooks HTTP/1.1', ...lines, '> ', ''].join('\n');
    expect(verify(head + body).status).toBe(0);
    expect(verify(`${head}${body} `).stdout).toMatch(/^WRONG {2}signature: the secret does not verify the request/);
    expect(verify(String(body), ...lines.flatMap((line) => ['-H', line])).status).toBe(0);
  });

  it('refuses a curl command with too many words, which would take seconds to read', () => {
    expect(verify(`curl ${'-H '.repeat(80_000)}`)).toMatchObject({
      status: 2,
      stderr: expect.stringContaining('The curl command has more than 10000 words.'),
    });
  });

  it('reads headers from the command line', () => {
    const { headers, body } = signedMessage();
    const lines = Object.entries(headers).flatMap(([name, value]) => ['-H', `${name}: ${value}`]);
    expect(verify(String(body), ...lines).status).toBe(0);
  });

  it.each<[string, (body: Buffer) => string | Buffer, RegExp]>([
    [
      'a re-serialized body',
      (body) => JSON.stringify(JSON.parse(String(body)), null, 2),
      /parsed and serialized again/,
    ],
    ['a line feed that an editor added', (body) => `${body}\n`, /line feed was added/],
    ['a byte order mark', (body) => `\ufeff${body}`, /byte order mark was added/],
    ['UTF-16', (body) => Buffer.from(String(body), 'utf16le'), /UTF-16/],
    ['a body encoded twice', (body) => JSON.stringify(String(body)), /encoded as JSON twice/],
    ['base64 of the body', (body) => body.toString('base64'), /base64 of the signed body/],
    ['a percent-encoded body', (body) => encodeURIComponent(String(body)), /percent-encoded/],
    [
      'sorted keys',
      (body) => JSON.stringify(Object.fromEntries(Object.entries(JSON.parse(String(body))).toSorted())),
      /keys in another order/,
    ],
    ['another event', (body) => String(body).replace('evt_2', 'evt_3'), /secret is probably from another endpoint/],
  ])('explains %s', (_, change, explanation) => {
    const { status, stdout } = verify(captured({ body: EVALUATED }, change));
    expect(status).toBe(1);
    expect(stdout).toMatch(/^WRONG {2}signature: the secret does not verify the request/);
    expect(stdout).toMatch(explanation);
  });

  it.each<[string, Buffer, RegExp]>([
    ['the text of the secret as the key', Buffer.from(SECRET), /including whsec_, as the key: decode/],
    ['the text after the prefix as the key', Buffer.from(SECRET.slice(6)), /decode it as base64url/],
    [
      'base64 as PHP decodes it',
      Buffer.from(SECRET.slice(6).replace(/[-_]/g, ''), 'base64'),
      /'base64url'\) in JavaScript, base64\.urlsafe_b64decode\(.*\) in Python, or base64\.RawURLEncoding\..* in Go/,
    ],
    ['base64 as Go decodes it', Buffer.alloc(0), /decoded the secret as base64, but the secret is base64url/],
    ['another secret', Buffer.alloc(32, 1), /secret is probably from another endpoint/],
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
