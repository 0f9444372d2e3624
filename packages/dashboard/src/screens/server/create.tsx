import type { OrganizationItem } from '@svc/contract/control/types';
import { control } from '../../data/control.ts';
import { href, inWorkspace } from '../../routes.ts';
import { FormDialog, useForm } from '../../ui/form.tsx';
import { toast } from '../../ui/toast.tsx';

export type Created = 'organization' | 'workspace' | 'user';

/**
 * Maps each kind of resource to a function that creates the resource. The function returns a link if the resource has a
 * screen.
 */
const CREATE: Record<
  Created,
  (text: (field: string) => string) => Promise<{ href: string; text: string } | undefined>
> = {
  async organization(text) {
    await control('POST', '/organizations', { body: { name: text('name') } });
    return undefined;
  },
  async workspace(text) {
    const body = { organizationId: text('organizationId'), name: text('name') };
    const { workspace } = await control('POST', '/workspaces', { body });
    return { href: inWorkspace(workspace.id), text: 'Open the workspace' };
  },
  async user(text) {
    const { user } = await control('POST', '/users', { body: { name: text('name'), email: text('email') } });
    return { href: href(`account/${user.id}`), text: 'Open the user' };
  },
};

export function CreateTenant({
  what,
  organizations,
  onClose,
}: {
  what: Created;
  organizations: readonly OrganizationItem[];
  onClose: () => void;
}) {
  const form = useForm(async (text) => {
    const link = await CREATE[what](text);
    toast(`Created ${text('name')}.`, { link });
    onClose();
  });
  return (
    <FormDialog title={`New ${what}`} name="create" form={form} submit="Create" onClose={onClose}>
      {what === 'workspace' && (
        <label class="field">
          <span>Organization</span>
          <select name="organizationId">
            {organizations.map(({ id, name }) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
          </select>
        </label>
      )}
      <label class="field">
        <span>Name</span>
        <input type="text" name="name" autocomplete="off" aria-describedby="create-problem" />
      </label>
      {what === 'user' && (
        <label class="field">
          <span>Email</span>
          <input type="email" name="email" autocomplete="off" aria-describedby="create-problem" />
        </label>
      )}
    </FormDialog>
  );
}
