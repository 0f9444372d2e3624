import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { createWebhooks } from '@svc/webhooks';
import { createNodeHandler } from '@svc/webhooks/node';
import { describe, expect, it } from 'vitest';
import { SECRET } from '../support/message.ts';
import { runCli } from '../support/run-cli.ts';

const cli = fileURLToPath(new URL('../../dist/cli.js', import.meta.url));

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

  it('prints the start of an endless response', async () => {
    const endless = createServer((_request, response) => {
      const write = () => {
        while (response.write('x'.repeat(16_384)));
      };
      response.on('drain', write);
      write();
    }).listen(0, '127.0.0.1');
    await once(endless, 'listening');
    const { port } = endless.address() as AddressInfo;
    const child = spawn(process.execPath, [cli, 'send', String(port), '-s', SECRET, '--id', 'whd_1']);
    let stdout = '';
    child.stdout.on('data', (piece) => {
      stdout += piece;
    });
    expect(await once(child, 'close')).toEqual([0, null]);
    const [head, body, note] = stdout.split('\n');
    expect(head).toMatch(/^whd_1: 200 OK in \d+ ms$/);
    expect(body).toBe(`${'x'.repeat(65_536)}…`);
    expect(note).toBe('The response is longer than 64 KiB. The service does not keep the rest.');
    endless.closeAllConnections();
    endless.close();
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
        'Not in the catalog: lifecyle.evaluated. The catalog contains: lifecycle.evaluated, webhook.endpoint.auto_disabled, webhook.ping.\n',
    });
    expect(sign('lifecycle.evaluated')).toMatchObject({ status: 0, stderr: '' });
    expect(sign(SECRET).stderr).toMatch(/^Not in the catalog: whsec_…\. /);
  });

  it('says why there is no response', () => {
    expect(runCli(['send', 'http://127.0.0.1:1/', '-s', SECRET])).toMatchObject({
      status: 1,
      stderr: expect.stringMatching(/no response: \S+/),
    });
  });
});
