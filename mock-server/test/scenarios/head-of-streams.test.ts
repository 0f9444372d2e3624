import { type ControlOperation, type ControlOperationName, controlOperations } from '@svc/contract/control';
import { Hono } from 'hono';
import { describe, expect, test, vi } from 'vitest';
import { registerOperation } from '../../src/http/control/operation.ts';
import type { Services } from '../../src/http/services.ts';

const streamed = (Object.entries(controlOperations) as [ControlOperationName, ControlOperation][]).filter(
  ([, { mediaType }]) => mediaType !== undefined,
);

/** An app with one operation, and its handler. */
function serve(name: ControlOperationName) {
  const app = new Hono();
  const handle = vi.fn(async () => new Response('begun'));
  registerOperation(
    app,
    { onSameData: () => ({}), timeline: { whileCurrent: (work: () => unknown) => work() } } as unknown as Services,
    name,
    handle,
  );
  return { app, handle };
}

describe.each(streamed)('%s', (name, { path, mediaType }) => {
  test('does not begin for a HEAD request, whose response has the media type', async () => {
    const { app, handle } = serve(name);
    const response = await app.request(path, { method: 'HEAD' });
    expect([response.status, response.headers.get('content-type')]).toEqual([200, mediaType]);
    expect(await response.text()).toBe('');
    expect(handle).not.toHaveBeenCalled();
  });

  test('begins for a GET request', async () => {
    const { app, handle } = serve(name);
    expect(await (await app.request(path)).text()).toBe('begun');
    expect(handle).toHaveBeenCalledOnce();
  });
});
