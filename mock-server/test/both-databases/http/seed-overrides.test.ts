import { expect, test } from 'vitest';
import { startApi } from '../../support/api.ts';

const start = (email: string) =>
  startApi({
    seed: {
      users: [{ email: 'a@example.com', name: 'A' }],
      organizations: [
        {
          slug: 'o',
          name: 'O',
          members: { 'a@example.com': 'Owner' },
          workspaces: [{ slug: 'w', name: 'W', overrides: { [email]: 'Admin' } }],
        },
      ],
    },
  });

test.each(['toString', 'constructor', 'other@example.com'])(
  'an override for %s, who is no member, is refused',
  async (email) => {
    await expect(start(email)).rejects.toThrow(`overrides.${email}": the user is not a member of the organization o`);
  },
);

test('an override for a member is accepted', async () => {
  await using api = await start('a@example.com');
  expect((await api.call('GET', '/health/ready')).status).toBe(200);
});
