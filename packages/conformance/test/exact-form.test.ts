import { expect, test } from 'vitest';
import { holdToForm } from '../matrix/exact-form.ts';

const sent = {
  workspace: {
    id: 'wsp_01DEM00000000000000PR0D000',
    name: 'Production',
    organizationId: 'org_01DEM0000000000000000ACME0',
    slug: 'production',
    timezone: null,
    weekStartsOn: null,
    createdAt: '2026-03-01T09:30:00.000Z',
    updatedAt: '2026-03-01T09:30:00.000Z',
  },
};
const ask = (workspace: object, init?: ResponseInit) => {
  const answer = { workspace: { ...sent.workspace, ...workspace } };
  const request = new Request(`https://service.test/v1/workspaces/${sent.workspace.id}`);
  return holdToForm(async () => Response.json(answer, init))(request);
};

test('a response in the exact form of the server arrives unchanged', async () => {
  expect(await (await ask({})).json()).toEqual(sent);
});

test.each([{ createdAt: '2026-03-01T09:30:00Z' }, { id: 'wsp_1' }, { more: true }, { name: undefined }])(
  'a response with %j throws, although clients accept some of these forms',
  async (change) => {
    await expect(ask(change)).rejects.toThrow("not in the server's exact form");
  },
);

test('a response that is no success has another form', async () => {
  expect((await ask({ id: 'wsp_1' }, { status: 500 })).status).toBe(500);
});
