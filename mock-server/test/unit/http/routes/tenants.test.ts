import { expect, test } from 'vitest';
import { listOrganizations } from '../../../../src/http/routes/tenants.ts';

test('each workspace is looked at once, and listed in its organization', async () => {
  let looks = 0;
  const rows = Array.from({ length: 100 }, (_, index) => ({ id: `org_${index}`, role: 'Viewer' }));
  const reachable = rows.slice(1).map(({ id }) => ({
    workspace: {
      id: `wsp_of_${id}`,
      get organization_id() {
        looks++;
        return id;
      },
    },
    access: { role: 'Viewer', implicit: true },
  }));
  const { data } = await listOrganizations({
    services: { storage: { read: async () => ({ rows, reachable }) } },
    caller: { kind: 'personal_access_token', userId: 'usr_1' },
    query: { expand: 'workspaces' },
  } as never);
  expect(looks).toBe(reachable.length);
  expect(data[0]?.workspaces).toEqual([]);
  expect(data[7]).toMatchObject({ id: 'org_7', workspaces: [{ id: 'wsp_of_org_7' }] });
});
