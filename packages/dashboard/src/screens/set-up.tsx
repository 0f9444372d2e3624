import type { OrganizationItem } from '@svc/contract/control/types';
import { useRef, useState } from 'preact/hooks';
import { control } from '../data/control.ts';
import { useUsers } from '../data/tenants.ts';
import { useForm } from '../ui/form.tsx';
import { Problem } from '../ui/problem.tsx';

/** Creates the workspace last, because the page leaves this screen as soon as a workspace exists. */
export function SetUp({ organizations }: { organizations: readonly OrganizationItem[] }) {
  const [user, setUser] = useState({ name: '', email: '' });
  const { data: users } = useUsers();
  const isNamed = user.name.trim() !== '' || user.email.trim() !== '';
  // A submission that failed may have created the organization and the user. The next submission uses them.
  const made = useRef<{ organizationId?: string; userId?: string }>({});
  const { problem, onSubmit } = useForm(async (text) => {
    made.current.organizationId ??= organizations[0]?.id ?? (await createOrganization(text('organization')));
    const { organizationId } = made.current;
    if (isNamed) {
      made.current.userId ??= await createUser(user);
      await control('PUT', '/organizations/{organizationId}/members/{userId}', {
        params: { organizationId, userId: made.current.userId },
        body: { role: 'Owner' },
      });
    }
    await control('POST', '/workspaces', { body: { organizationId, name: text('workspace') } });
  });
  const userField = (key: 'name' | 'email') => ({
    autocomplete: 'off' as const,
    required: isNamed,
    value: user[key],
    onInput: (event: { currentTarget: HTMLInputElement }) => setUser({ ...user, [key]: event.currentTarget.value }),
  });
  return (
    <form class="notice" onSubmit={onSubmit}>
      <h1>Create a workspace</h1>
      <p>A workspace contains one product's webhooks, events and profiles. It belongs to an organization.</p>
      {organizations.length === 0 && (
        <label class="field">
          <span>Organization</span>
          <input name="organization" required maxLength={120} placeholder="Acme" />
        </label>
      )}
      <label class="field">
        <span>Workspace</span>
        <input name="workspace" required maxLength={120} placeholder="Production" />
      </label>
      {(users?.length === 0 || made.current.userId !== undefined) && (
        <>
          <label class="field">
            <span>First user (optional)</span>
            <input type="email" placeholder="ada@example.com" {...userField('email')} />
            <small>
              The user becomes an Owner of the organization. Without a user, the dashboard can act only as an API key.
            </small>
          </label>
          <label class="field">
            <span>Name of the user</span>
            <input type="text" placeholder="Ada Lovelace" {...userField('name')} />
          </label>
        </>
      )}
      {problem && <Problem>{problem}</Problem>}
      <p class="row">
        <button type="submit" class="primary">
          Create workspace
        </button>
      </p>
    </form>
  );
}

const createOrganization = async (name: string): Promise<string> =>
  (await control('POST', '/organizations', { body: { name } })).organization.id;

const createUser = async (body: { name: string; email: string }): Promise<string> =>
  (await control('POST', '/users', { body })).user.id;
