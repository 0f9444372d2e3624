import type { OrganizationItem } from '@svc/contract/control/types';
import { control } from '../../data/control.ts';
import { FormDialog, useForm } from '../../ui/form.tsx';
import { toast } from '../../ui/toast.tsx';

export type Created = 'organization' | 'workspace' | 'user';

const CREATE: Record<Created, (text: (field: string) => string) => Promise<unknown>> = {
  organization: (text) => control('POST', '/organizations', { body: { name: text('name') } }),
  workspace: (text) =>
    control('POST', '/workspaces', { body: { organizationId: text('organizationId'), name: text('name') } }),
  user: (text) => control('POST', '/users', { body: { name: text('name'), email: text('email') } }),
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
    await CREATE[what](text);
    toast(`Created ${text('name')}.`);
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
