import type { OrganizationItem } from '@svc/mock-server/control';
import { useState } from 'preact/hooks';
import { control } from '../data/control.ts';
import { messageOf } from '../data/server-error.ts';

/** The first organization and its first workspace, for a server that has none. */
export function SetUp({ organizations }: { organizations: readonly OrganizationItem[] }) {
  const [problem, setProblem] = useState<string>();
  const submit = async (event: SubmitEvent) => {
    event.preventDefault();
    const fields = new FormData(event.currentTarget as HTMLFormElement);
    try {
      const organizationId =
        organizations[0]?.id ??
        (
          await control<{ organization: { id: string } }>('POST', '/organizations', {
            body: { name: fields.get('organization') },
          })
        ).organization.id;
      await control('POST', '/workspaces', { body: { organizationId, name: fields.get('workspace') } });
    } catch (error) {
      setProblem(messageOf(error));
    }
  };
  return (
    <form class="notice" onSubmit={submit}>
      <h1>Create a workspace</h1>
      <p>A workspace holds one product's webhooks, events and profiles. It belongs to an organization.</p>
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
      {problem && (
        <p class="problem" role="alert">
          {problem}
        </p>
      )}
      <p class="row">
        <button type="submit" class="primary">
          Create workspace
        </button>
      </p>
    </form>
  );
}
