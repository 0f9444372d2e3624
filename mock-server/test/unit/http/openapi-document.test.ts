import { Hono } from 'hono';
import { expect, test, vi } from 'vitest';
import { registerDocument } from '../../../src/http/openapi-document.ts';

const { made } = vi.hoisted(() => ({ made: [] as string[] }));
vi.mock('@svc/contract/openapi', () => ({
  createOpenApiDocument(url: string) {
    made.push(url);
    return { servers: [{ url }] };
  },
}));

test('The OpenAPI document is made once, and again for another public URL', async () => {
  let url = 'http://127.0.0.1:4100';
  const app = new Hono();
  registerDocument(app, { publicUrl: () => url });
  const serverUrl = async () => {
    const response = await app.request('/openapi.json');
    expect(response.headers.get('content-type')).toBe('application/json');
    return ((await response.json()) as { servers: [{ url: string }] }).servers[0].url;
  };
  expect([await serverUrl(), await serverUrl()]).toEqual([url, url]);
  expect(made).toEqual([url]);
  url = 'https://api.example.com';
  expect(await serverUrl()).toBe(url);
  expect(made).toHaveLength(2);
});
