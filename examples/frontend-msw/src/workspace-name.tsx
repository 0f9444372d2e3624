// #region component
import { isApiError, type UserClient } from '@svc/client';
import { type FormEvent, useEffect, useState } from 'react';

/** Shows the name of a workspace, and lets a person change it. */
export function WorkspaceName({ svc, workspaceId }: { svc: UserClient; workspaceId: `wsp_${string}` }) {
  const [name, setName] = useState<string>();
  const [problem, setProblem] = useState('');
  useEffect(() => {
    svc.workspaces.retrieve(workspaceId).then((workspace) => setName(workspace.name));
  }, [svc, workspaceId]);

  async function save(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const wanted = String(new FormData(event.currentTarget).get('name'));
    try {
      setName((await svc.workspaces.update(workspaceId, { name: wanted })).name);
      setProblem('');
    } catch (error) {
      if (!isApiError(error)) throw error;
      setProblem(error.message);
    }
  }

  if (name === undefined) return <p>Loading…</p>;
  return (
    <form onSubmit={save}>
      <h1>{name}</h1>
      <input name="name" aria-label="Name" defaultValue={name} />
      <button type="submit">Save</button>
      {problem && <p role="alert">{problem}</p>}
    </form>
  );
}
// #endregion component
