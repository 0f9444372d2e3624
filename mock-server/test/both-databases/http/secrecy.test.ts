import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { describe, expect, test } from 'vitest';
import { demo } from '../../support/demo.ts';

describe('The log of the command', () => {
  test('contains no secret, and no credential from any part of a request', async () => {
    const main = new URL('../../../src/main.ts', import.meta.url).pathname;
    const adminToken = 'a-token-of-at-least-32-characters-x1';
    const options = ['--memory', '--json', '--port', '0', '--admin-token', adminToken];
    const child = spawn('node', [main, ...options], { stdio: ['ignore', 'pipe', 'pipe'] });
    let log = '';
    child.stderr.on('data', (text) => {
      log += text;
    });
    const [line] = (await once(child.stdout, 'data')) as [Buffer];
    const { url } = JSON.parse(line.toString()) as { url: string };
    const { owner: token } = demo;
    const { key } = demo.production;
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
    const admin = { authorization: `Bearer ${adminToken}`, 'content-type': 'application/json' };
    for (const credential of [key, token, adminToken])
      await fetch(`${url}/v1/${credential}?token=${credential}`, {
        headers: { authorization: `Bearer ${credential}` },
      });
    const created = await fetch(`${url}/v1/webhooks/endpoints`, {
      method: 'POST',
      headers,
      body: JSON.stringify({ url: 'http://127.0.0.1:9/', subscribedEvents: ['*'] }),
    });
    const { secret } = (await created.json()) as { secret: { secret: string } };
    await fetch(`${url}/_control/events`, {
      method: 'POST',
      body: JSON.stringify({ workspaceId: demo.production.id, type: 'lifecycle.evaluated' }),
      headers: admin,
    });
    await fetch(`${url}/_control/settle`, { method: 'POST', headers: admin });
    child.kill('SIGTERM');
    await once(child, 'exit');
    expect(log).toContain('"path":"/v1/webhooks/endpoints"');
    expect(log.split('"path":"/v1/svc_[redacted]"')).toHaveLength(3);
    expect(log).toContain('"path":"/v1/[redacted]"');
    expect(log).not.toContain(adminToken);
    expect(log).not.toContain(key);
    expect(log).not.toContain(token);
    expect(log).not.toContain(secret.secret.slice(8));
  });
});
