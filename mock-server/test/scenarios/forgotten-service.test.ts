import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, test } from 'vitest';

const testing = new URL('../../src/testing/index.ts', import.meta.url).href;
const msw = new URL('../../src/msw/index.ts', import.meta.url).href;

/** Runs a program in a separate process. Node 24 runs TypeScript directly. */
async function run(program: string): Promise<{ code: number | null; stdout: string; stderr: string }> {
  const child = spawn(process.execPath, ['--input-type=module', '-e', program], { stdio: ['ignore', 'pipe', 'pipe'] });
  let stdout = '';
  let stderr = '';
  child.stdout.setEncoding('utf8').on('data', (text) => {
    stdout += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text) => {
    stderr += text;
  });
  const [code] = await once(child, 'close');
  return { code, stdout, stderr };
}

test('A process that forgets to close a service exits on its own, after its work', async () => {
  const program = `
    import { startMockService } from ${JSON.stringify(testing)};
    const service = await startMockService();
    const receiver = await service.receiver();
    const { apiKey, workspaceId } = await service.workspace();
    await fetch(service.url + '/v1/webhooks/endpoints', {
      method: 'POST',
      headers: { authorization: 'Bearer ' + apiKey, 'content-type': 'application/json' },
      body: JSON.stringify({ url: receiver.url, subscribedEvents: ['*'] }),
    });
    receiver.respond({ status: 500 });
    const { event } = await service.trigger('lifecycle.evaluated', { workspaceId });
    await receiver.next();
    await service.waitForIdle();
    console.log('a retry is pending');
  `;
  expect(await run(program)).toEqual({ code: 0, stdout: 'a retry is pending\n', stderr: '' });
});

test('A process that forgets to close a service without a socket exits on its own, after its work', async () => {
  const program = `
    import { createMockService } from ${JSON.stringify(msw)};
    const service = await createMockService();
    const { workspaceId } = await service.workspace();
    const { event } = await service.trigger('lifecycle.evaluated', { workspaceId });
    await service.waitForDelivery({ eventId: event.id, timeoutMs: 100 }).catch((error) => console.log(error.name));
  `;
  expect(await run(program)).toEqual({ code: 0, stdout: 'WaitError\n', stderr: '' });
});
