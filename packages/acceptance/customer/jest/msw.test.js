// MSW's handlers in CommonJS. Newer versions of MSW contain ES modules, which Jest must transform.
const { createClient } = require('@svc/client');
const { createMockService } = require('@svc/mock-server/msw');
const { setupServer } = require('msw/node');

const starting = createMockService();
const server = setupServer(...starting.handlers);
beforeAll(() => server.listen({ onUnhandledRequest: 'error' }));
afterAll(async () => {
  server.close();
  await (await starting).close();
});

test('the handlers of MSW answer for the service', async () => {
  const { apiKey, workspaceId } = await (await starting).workspace();
  const svc = createClient({ apiKey, baseUrl: 'https://api.example.com' });
  expect((await svc.me.retrieve()).workspace.id).toBe(workspaceId);
  await expect(svc.events.retrieve('evt_01JNG8M5T0')).rejects.toMatchObject({ code: 'NOT_FOUND' });
});
