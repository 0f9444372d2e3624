import { clientOf } from '../../data/acting.ts';
import { useQuery } from '../../data/query.ts';
import { messageOf } from '../../data/server-error.ts';
import { Fact } from '../../ui/fact.tsx';
import { Id } from '../../ui/id.tsx';
import { Problem } from '../../ui/problem.tsx';

const KINDS: Readonly<Record<string, string>> = { api_key: 'API key', personal_access_token: 'personal access token' };

export function Me({ workspaceId, userId }: { workspaceId: string; userId: string | undefined }) {
  const { data, error } = useQuery(
    workspaceId && `me of ${workspaceId} ${userId}`,
    async () => await clientOf(workspaceId, userId).me.retrieve(),
    ['tenants'],
  );
  const { credential, workspace } = data ?? {};
  const user = data && 'user' in data ? data.user : null;
  return (
    <>
      <h2>
        What the service says <code class="quiet">GET /v1/me</code>
      </h2>
      {error !== undefined ? (
        <Problem>{messageOf(error)}</Problem>
      ) : (
        <dl class="facts">
          <Fact name="Acts with">
            {credential ? (KINDS[credential.kind] ?? credential.kind) : <span class="skeleton" />}
          </Fact>
          <Fact name="User">{user ? <Id value={user.id} /> : <span class="quiet">none</span>}</Fact>
          <Fact name="Workspace">{workspace ? workspace.name : <span class="quiet">none</span>}</Fact>
          <Fact name="Role">{workspace?.role ?? <span class="quiet">none</span>}</Fact>
          <div class="wide-fact">
            <dt>Permissions</dt>
            <dd class="row wrap">
              {workspace?.permissions.map((permission) => (
                <code key={permission} class="badge">
                  {permission}
                </code>
              ))}
            </dd>
          </div>
        </dl>
      )}
    </>
  );
}
