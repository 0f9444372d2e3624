import type { OrganizationItem } from '@svc/contract/control/types';
import { useState } from 'preact/hooks';
import { control } from '../../data/control.ts';
import { messageOf } from '../../data/server-error.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { FormButtons } from '../../ui/form-buttons.tsx';
import { toast } from '../../ui/toast.tsx';

/** What can be created. */
export type Created = 'organization' | 'workspace' | 'user';

const CREATE: Record<Created, (text: (field: string) => string) => Promise<unknown>> = {
  organization: (text) => control('POST', '/organizations', { body: { name: text('name') } }),
  workspace: (text) =>
    control('POST', '/workspaces', { body: { organizationId: text('organizationId'), name: text('name') } }),
  user: (text) => control('POST', '/users', { body: { name: text('name'), email: text('email') } }),
};

/** Creates an organization, a workspace or a user. */
export function CreateTenant({
  what,
  organizations,
  onClose,
}: {
  what: Created;
  organizations: readonly OrganizationItem[];
  onClose: () => void;
}) {
  const [problem, setProblem] = useState<string>();
  const submit = async (event: SubmitEvent) => {
    event.preventDefault();
    const fields = new FormData(event.currentTarget as HTMLFormElement);
    const text = (field: string) => String(fields.get(field) ?? '');
    try {
      await CREATE[what](text);
      toast(`Created ${text('name')}.`);
      onClose();
    } catch (error) {
      setProblem(messageOf(error));
    }
  };
  return (
    <Dialog title={`New ${what}`} onClose={onClose}>
      <form onSubmit={submit} noValidate>
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
        <p class="problem" id="create-problem" role="alert">
          {problem}
        </p>
        <FormButtons submit="Create" onClose={onClose} />
      </form>
    </Dialog>
  );
}
