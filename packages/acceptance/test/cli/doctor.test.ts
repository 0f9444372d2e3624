import { spawnSync } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type MockService, type ReceivedRequest, startMockService, type Tenant } from '@svc/mock-server/testing';
import { freePort, startProcess } from '@svc/testing';
import { signWebhook } from '@svc/webhooks/testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { svcMock } from '../../src/svc-mock.ts';

let service: MockService;
let tenant: Tenant;
let secret: string;
let deliveryId: string;
let request: ReceivedRequest;
let folder: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'svc-doctor-'));
  service = await startMockService();
  tenant = await service.workspace();
  const receiver = await service.receiver();
  const created = await run('endpoints', 'create', receiver.url, '--json');
  secret = JSON.parse(created.stdout).secret.secret;
  const { deliveries } = await service.trigger('lifecycle.evaluated', { workspaceId: tenant.workspaceId });
  deliveryId = String(deliveries[0]?.id);
  request = await receiver.next();
  await service.waitForIdle();
});
afterAll(async () => {
  await service.close();
  rmSync(folder, { recursive: true });
});

const run = (...argv: string[]) => svcMock(service.url, argv, { env: { SVC_API_KEY: tenant.apiKey } });
const rawHttp = (body: string) =>
  `POST /webhooks HTTP/1.1\r\n${Object.entries(request.headers)
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join('')}\r\n${body}`;
const asCurl = (body: string) =>
  `curl http://localhost/webhooks \\\n${Object.entries(request.headers)
    .map(([name, value]) => `  -H '${name}: ${value}' \\\n`)
    .join('')}  --data-raw $'${body.replaceAll("'", "\\'")}'`;
/** As people type it, with grouped letters and attached values. */
const asTerseCurl = (body: string) =>
  `curl.exe -sSXPOST http://localhost/webhooks ${Object.entries(request.headers)
    .map(([name, value]) => `-H'${name}: ${value}' `)
    .join('')}-d'${body}'`;
/** Each byte as an escape, half of them in octal. */
const asEscapedCurl = (body: string) => {
  const bytes = [...Buffer.from(body)].map((byte, index) =>
    index % 2 ? `\\${byte.toString(8).padStart(3, '0')}` : `\\x${byte.toString(16)}`,
  );
  return asCurl('').replace(/\$''$/, () => `$'${bytes.join('')}'`);
};
const asJson = (body: string) => JSON.stringify({ headers: request.headers, body });

/** What the doctor finds in a captured request. */
async function doctor(text: string, ...argv: string[]) {
  const file = join(folder, 'request.txt');
  writeFileSync(file, text);
  const { status, stdout } = await run('doctor', file, '--json', ...argv);
  return {
    status,
    ...(JSON.parse(stdout) as { ok: boolean; findings: { what: string; ok: boolean; detail: string }[] }),
  };
}

describe('svc-mock doctor, with a captured request', () => {
  test.each([
    ['raw HTTP', rawHttp],
    ['a curl command', asCurl],
    ['a terse curl command', asTerseCurl],
    ['a curl command with bytes', asEscapedCurl],
    ['JSON', asJson],
  ])('and a secret, verifies %s', async (_form, capture) => {
    expect(await doctor(capture(request.body), '--secret', secret)).toMatchObject({
      status: 0,
      ok: true,
      findings: [{ what: 'signature', ok: true }],
    });
  });

  test('and a secret, says how the body was changed', async () => {
    const reformatted = JSON.stringify(JSON.parse(request.body), null, 2);
    const { status, findings } = await doctor(rawHttp(reformatted), '--secret', secret);
    expect(status).toBe(1);
    expect(findings).toEqual([
      { what: 'signature', ok: false, detail: expect.stringContaining('parsed and serialized again') },
      { what: 'body', ok: false, detail: expect.stringContaining('The bodies first differ at byte 1') },
    ]);
  });

  test('and a secret, says that the signer decoded it as base64', async () => {
    const skipping = Buffer.from(secret.slice('whsec_'.length).replace(/[-_]/g, ''), 'base64');
    const signed = `${request.headers['webhook-id']}.${request.headers['webhook-timestamp']}.${request.body}`;
    const signature = createHmac('sha256', skipping).update(signed).digest('base64');
    const capture = rawHttp(request.body).replace(/(webhook-signature: ).*/, `$1v1,${signature}`);
    const { status, findings } = await doctor(capture, '--secret', secret);
    expect(status).toBe(1);
    expect(findings[0]?.detail).toContain('the signer decoded the secret as base64');
    expect(findings[0]?.detail).toContain("Buffer.from(text, 'base64url') in JavaScript");
  });

  test.each([
    ['body', () => rawHttp(request.body.replace('lifecycle', 'lifecyclf'))],
    ['webhook-timestamp', () => rawHttp(request.body).replace(/(webhook-timestamp: )\d/, '$19')],
  ])('and the right secret, blames the %s that was changed, not the secret', async (part, changed) => {
    const { status, findings } = await doctor(changed(), '--secret', secret);
    expect(status).toBe(1);
    expect(findings).toEqual([
      {
        what: 'signature',
        ok: false,
        detail: expect.stringContaining('the request differs from what the server sent'),
      },
      { what: part, ok: false, detail: expect.stringContaining('the receiver got') },
    ]);
  });

  test('and a secret, works without a server', async () => {
    const file = join(folder, 'request.txt');
    writeFileSync(file, rawHttp(`${request.body.slice(0, -1)},"x":1}`));
    const { status, stdout } = await svcMock('http://127.0.0.1:9', ['doctor', file, '--json', '--secret', secret]);
    expect(status).toBe(1);
    expect(JSON.parse(stdout).findings).toMatchObject([{ what: 'signature', ok: false }]);
  });

  test.each([
    ['a secret', () => ['--secret', secret], 'signature'],
    ['no secret', () => [], 'body'],
  ])('and %s, says that a receiver refuses it later, unless it came in time', async (_, more, what) => {
    const sentAt = Number(request.headers['webhook-timestamp']);
    const at = (seconds: number) => ['--at', new Date((sentAt + seconds) * 1_000).toISOString()];
    const { status, findings } = await doctor(rawHttp(request.body), ...more(), ...at(4_000));
    expect(status).toBe(1);
    expect(findings.slice(-2)).toEqual([
      expect.objectContaining({ what, ok: true }),
      {
        what: 'age',
        ok: false,
        detail:
          '4000 s old. A receiver rejects timestamps that differ from its clock by more than 300 s. To check everything except the age, add --at request.',
      },
    ]);
    expect((await doctor(rawHttp(request.body), ...more(), ...at(-301))).findings.at(-1)).toMatchObject({
      what: 'age',
      detail: expect.stringMatching(/^301 s ahead of the time of the check\./),
    });
    for (const inTime of [at(300), at(-300), ['--at', 'request'], []]) {
      expect(await doctor(rawHttp(request.body), ...more(), ...inTime)).toMatchObject({ status: 0, ok: true });
    }
  });

  test('says that a request is old only if nothing else is wrong with it', async () => {
    const changed = rawHttp(request.body.replace('lifecycle', 'lifecyclf'));
    const { findings } = await doctor(changed, '--secret', secret, '--at', '2031-01-01T00:00:00Z');
    expect(findings.map(({ what }) => what)).toEqual(['signature', 'body']);
  });

  test('is used incorrectly with a time that is none', async () => {
    const file = join(folder, 'request.txt');
    writeFileSync(file, rawHttp(request.body));
    const { status, stderr } = await run('doctor', file, '--secret', secret, '--at', 'soon');
    expect(status).toBe(2);
    expect(stderr).toContain('--at must be');
  });

  test('and the secret of another endpoint, says so', async () => {
    const other = `whsec_${Buffer.alloc(33, 7).toString('base64url')}`;
    const { status, findings } = await doctor(rawHttp(request.body), '--secret', other);
    expect(status).toBe(1);
    expect(findings[0]?.detail).toContain('The secret is probably from another endpoint');
  });

  test('and no secret, compares it with what the server sent', async () => {
    expect(await doctor(rawHttp(request.body))).toMatchObject({ status: 0, ok: true });
    const { status, findings } = await doctor(
      rawHttp(`${request.body} `).replace(/webhook-signature: .*/, 'webhook-signature: v1,x'),
    );
    expect(status).toBe(1);
    expect(findings.filter(({ ok }) => !ok).map(({ what }) => what)).toEqual(['webhook-signature', 'body']);
  });

  test('says that headers are missing', async () => {
    const { status, findings } = await doctor('POST / HTTP/1.1\r\nhost: x\r\n\r\n{}', '--secret', secret);
    expect(status).toBe(1);
    expect(findings[0]?.detail).toContain('webhook-id, webhook-timestamp, webhook-signature missing');
  });

  test.each([
    ['an empty file', '', 'is empty'],
    ['JSON without a request', '{"a":1}', 'its headers or its body are missing'],
    ['a body that curl encodes', "curl http://x -H 'a: b' --data-urlencode 'a=b c'", '--data-raw'],
    ['a body in a file', "curl http://x -H 'a: b' -sd@body.json", 'is in the file body.json'],
    ['no id, and no secret', 'POST / HTTP/1.1\r\nhost: x\r\n\r\n{}', 'has no webhook-id'],
  ])('is used incorrectly with %s', async (_what, text, says) => {
    const file = join(folder, 'broken.txt');
    writeFileSync(file, text);
    const { status, stdout, stderr } = await run('doctor', file);
    expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
    expect(stderr).toContain(says);
  });
});

describe('svc-mock doctor, with a delivery', () => {
  test('says what happened to it, and whether the secret signs it', async () => {
    const ok = await run('doctor', deliveryId, '--secret', secret);
    expect(await run('doctor', '--delivery', deliveryId, '--secret', secret)).toEqual(ok);
    expect(ok).toMatchObject({ status: 0 });
    expect(ok.stdout).toMatch(
      /^ok {5}delivery: Attempt 1 succeeded[^\n]*\nok {5}signature: the secret verifies the request: lifecycle\.evaluated/,
    );
    const other = `whsec_${Buffer.alloc(33, 7).toString('base64url')}`;
    expect(await run('doctor', '--delivery', deliveryId, '--secret', other)).toMatchObject({
      status: 1,
      stderr: 'svc-mock: These checks failed: signature.\n',
    });
    expect(await run('doctor', 'whd_none')).toMatchObject({
      status: 2,
      stderr: expect.stringMatching(/^svc-mock: No such webhook delivery: whd_none[^\n]*\n$/),
    });
    expect(ok.stdout).not.toContain('base64');
  });

  test('takes one delivery, and a file whose name looks like one with its folder', async () => {
    expect(await run('doctor', deliveryId, '--delivery', 'whd_2')).toMatchObject({
      status: 2,
      stderr: 'svc-mock: Pass only one delivery: as the argument, or with --delivery if the argument is a file.\n',
    });
    expect(await run('doctor', './whd_1')).toMatchObject({
      status: 2,
      stderr: expect.stringContaining('Cannot read ./whd_1: ENOENT'),
    });
    expect(await run('doctor', '/dev/zero')).toMatchObject({
      status: 2,
      stderr: 'svc-mock: Cannot read /dev/zero: the input has more than 64 MiB.\n',
    });
  });

  test('says how to decode the secret if the receiver refuses a right signature', async () => {
    const refusing = await service.receiver();
    refusing.respond({ status: 401 });
    const { workspaceId } = tenant;
    const created = await run('endpoints', 'create', refusing.url, '--json');
    const { endpoint, secret: own } = JSON.parse(created.stdout);
    const { deliveries } = await service.trigger('lifecycle.evaluated', { workspaceId });
    const refused = deliveries.find(({ endpointId }) => endpointId === endpoint.id);
    await refusing.next();
    await service.waitForIdle();
    const { status, stdout } = await run('doctor', '--delivery', String(refused?.id), '--secret', own.secret);
    expect(status).toBe(1);
    expect(stdout).toMatch(
      /signature: the secret verifies the request: [^\n]* the receiver is probably decoding the secret as base64\. Decode /,
    );
  });
});

describe('svc-mock doctor, without arguments', () => {
  test('checks this machine and the server', async () => {
    const { status, stdout } = await run('doctor', '--data', join(folder, 'data'));
    expect(status).toBe(0);
    expect(stdout).toMatch(
      /^ok {5}Node: \d+\.\d+\.\d+\nok {5}server: responds at [^\n]+\nok {5}data folder: [^\n]+, which svc-mock start will create\nok {5}clock: agrees with the server's clock\nok {5}database: none yet in [^\n]+\n$/,
    );
  });

  test('says what is wrong: another program, a folder, a database', async () => {
    const receiver = await service.receiver();
    receiver.respond({ status: 404 });
    const url = new URL(receiver.url).origin;
    const database = `postgres://nobody:s3cret@127.0.0.1:${await freePort()}/none`;
    const { status, stdout, stderr } = await svcMock(url, ['doctor', '--data', '/proc/none', '--database', database]);
    expect(status).toBe(1);
    expect(stdout).toMatch(/WRONG {2}server: another program responds at/);
    expect(stdout).toMatch(/WRONG {2}database: Cannot use the database 127\.0\.0\.1:\d+\/none: connect ECONNREFUSED/);
    expect(stdout + stderr).not.toContain('s3cret');
  });

  test.each(['hosts', 'hosts/data'])('says that the data folder %s is a file', async (path) => {
    const file = join(folder, 'hosts');
    writeFileSync(file, 'localhost\n', { mode: 0o755 });
    const { status, stdout, stderr } = await run('doctor', '--data', join(folder, path));
    expect({ status, stderr }).toEqual({ status: 1, stderr: 'svc-mock: These checks failed: data folder.\n' });
    expect(stdout).toContain(`WRONG  data folder: ${file} is not a folder. Choose a folder with --data.\n`);
  });

  test('checks the database and the master key of the data folder, even while a server runs', async () => {
    const data = join(folder, 'checked');
    const check = () => run('doctor', '--data', data);
    {
      await using server = await startProcess(['--data', data]);
      expect(await check()).toMatchObject({ status: 0, stdout: expect.stringContaining('ok     master key: ') });
      await server.end('SIGTERM');
    }
    const before = readdirSync(data);
    expect(await check()).toMatchObject({ status: 0, stdout: expect.stringContaining('ok     database: ') });
    writeFileSync(join(data, 'master.key'), Buffer.alloc(32, 7).toString('base64'));
    expect(await check()).toMatchObject({
      status: 1,
      stdout: expect.stringContaining('does not belong to this data'),
    });
    expect(readdirSync(data)).toEqual(before);
    // Damage only the last page, which neither the start nor the check of the key reads.
    const file = join(data, 'svc-mock.sqlite');
    const bytes = readFileSync(file);
    writeFileSync(file, bytes.fill(0xa5, bytes.length - 4096));
    expect(await check()).toMatchObject({ status: 1, stdout: expect.stringContaining(`${file} is damaged: `) });
    const exported = await run('export', join(folder, 'damaged.ndjson'), '--data', data);
    expect(exported).toMatchObject({
      status: 2,
      stderr: expect.stringMatching(/^svc-mock: Cannot read the database: [^\n]+malformed\.\n$/),
    });
    writeFileSync(file, 'garbage\n');
    expect(await check()).toMatchObject({ status: 1, stdout: expect.stringContaining('file is not a database') });
  });

  test('says that another program responds at the URL, and so does whoami', async () => {
    const receiver = await service.receiver();
    receiver.respond({ status: 200, body: 'hello' });
    const { origin } = new URL(receiver.url);
    expect(await svcMock(origin, ['doctor', '--data', join(folder, 'data')])).toMatchObject({
      status: 1,
      stdout: expect.stringContaining(`WRONG  server: another program responds at ${origin}`),
    });
    expect(await svcMock(origin, ['whoami'])).toMatchObject({
      status: 2,
      stderr: `svc-mock: The response is not JSON: text/plain, hello. The program at ${origin} may not be svc-mock.\n`,
    });
  });
});

test('svc-webhooks verify prints the same', async () => {
  const webhooks = join(import.meta.dirname, '../../../webhooks/bin/svc-webhooks.js');
  const own = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
  const signed = signWebhook({ secrets: own, event: 'lifecycle.evaluated' });
  const old = signWebhook({ secrets: own, timestamp: 1 });
  const files = [
    { headers: signed.headers, body: signed.body },
    { headers: signed.headers, body: `${signed.body}\n` },
    { headers: signed.headers, body: '{}' },
    { headers: {}, body: '' },
    { headers: old.headers, body: old.body },
  ];
  const printed: string[] = [];
  for (const [index, captured] of files.entries()) {
    const file = join(folder, `same-${index}.json`);
    writeFileSync(file, JSON.stringify(captured));
    const verified = spawnSync(process.execPath, [webhooks, 'verify', file, '-s', own], { encoding: 'utf8' });
    const { status, stdout } = await run('doctor', file, '--secret', own);
    expect([verified.status, verified.stdout.replaceAll(/\d+ s old/g, 'n s old')]).toEqual([
      status,
      stdout.replaceAll(/\d+ s old/g, 'n s old'),
    ]);
    printed.push(stdout.replace(/:.*/s, ''));
  }
  expect(printed).toEqual([
    'ok     signature',
    'WRONG  signature',
    'WRONG  signature',
    'WRONG  headers',
    'ok     signature',
  ]);
});
