import { expect, test } from 'vitest';
import { startApi } from '../../support/api.ts';

test('a seed may have more users and members than a statement may have parameters', async () => {
  const users = Array.from({ length: 17_000 }, (_, index) => ({ email: `user${index}@example.com`, name: 'User' }));
  const members = Object.fromEntries(users.map(({ email }) => [email, 'Viewer' as const]));
  await using api = await startApi({
    seed: { users, organizations: [{ id: 'org_large', slug: 'large', name: 'Large', members }] },
  });
  const { body } = await api.call('GET', '/_control/organizations/org_large/members?limit=1');
  expect(body).toMatchObject({ data: [{ user: { name: 'User' }, role: 'Viewer' }], nextPageUrl: expect.any(String) });
});
