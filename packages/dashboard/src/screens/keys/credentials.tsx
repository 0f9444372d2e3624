import type { CredentialItem } from '@svc/contract/control/types';
import { useState } from 'preact/hooks';
import { serverUrl } from '../../base.ts';
import { control } from '../../data/control.ts';
import { messageOf } from '../../data/server-error.ts';
import { useControl } from '../../data/use-control.ts';
import { curlSnippet, keySdkSnippet, tokenSdkSnippet } from '../../format/snippets.ts';
import { ActionButton } from '../../ui/action-button.tsx';
import { Confirm } from '../../ui/confirm.tsx';
import { FormDialog, useForm } from '../../ui/form.tsx';
import { Id } from '../../ui/id.tsx';
import { Problem } from '../../ui/problem.tsx';
import { ShownOnce } from '../../ui/shown-once.tsx';
import { TableHead } from '../../ui/table-head.tsx';
import { Created } from '../../ui/time.tsx';
import { toast } from '../../ui/toast.tsx';

export type Owner = { kind: 'api_key'; workspaceId: string } | { kind: 'personal_access_token'; userId: string };

const WORDS = {
  api_key: {
    one: 'API key',
    what: 'key',
    live: 'svc_sk_',
    create: 'Create API key',
  },
  personal_access_token: {
    one: 'token',
    what: 'token',
    live: 'svc_pat_',
    create: 'Create token',
  },
} as const;

type Open = 'create' | { shown: string } | { revoked: CredentialItem };

/** Lists credentials without their values. The value of a new credential is shown once. */
export function Credentials({
  owner,
  owns,
  why,
}: {
  owner: Owner;
  owns: string;
  /** Why the user may not create or revoke credentials. */
  why?: string | undefined;
}) {
  const words = WORDS[owner.kind];
  const query = 'workspaceId' in owner ? { workspaceId: owner.workspaceId } : { userId: owner.userId };
  const { data, error } = useControl('/credentials', { query: { ...query, limit: 100 } }, ['tenants']);
  const [open, setOpen] = useState<Open>();
  const close = () => setOpen(undefined);
  const create = async (name: string, test: boolean) => {
    const body = { ...owner, test, ...(name && { name }) };
    const made = await control('POST', '/credentials', { body });
    setOpen({ shown: made.credential });
  };
  return (
    <>
      <div class="with-tools">
        <p class="quiet">{owns}</p>
        <ActionButton icon="plus" class="primary" why={why} onClick={() => setOpen('create')}>
          {words.create}
        </ActionButton>
      </div>
      {error !== undefined && <Problem>{messageOf(error)}</Problem>}
      {error === undefined && data?.data.length !== 0 && (
        <CredentialTable items={data?.data ?? []} why={why} onRevoke={(revoked) => setOpen({ revoked })} />
      )}
      {data?.data.length === 0 && <p class="notice in-list">No {words.one}s yet.</p>}
      {data?.nextPageUrl && <p class="quiet">Only the newest 100 are shown.</p>}
      {open === 'create' && <CreateDialog title={words.create} live={words.live} create={create} onClose={close} />}
      {typeof open === 'object' && 'shown' in open && (
        <ShownOnce
          title={`Copy the ${words.one}`}
          what={words.one}
          text={open.shown}
          snippets={[
            ['curl', curlSnippet({ baseUrl: serverUrl, credential: open.shown })],
            [
              '@svc/client',
              (owner.kind === 'api_key' ? keySdkSnippet : tokenSdkSnippet)({
                baseUrl: serverUrl,
                credential: open.shown,
              }),
            ],
          ]}
          onClose={close}
        />
      )}
      {typeof open === 'object' && 'revoked' in open && (
        <Confirm
          title={`Revoke ${words.one}`}
          action={`Revoke ${open.revoked.name ?? open.revoked.id}`}
          onClose={close}
          run={async () => {
            await control('DELETE', '/credentials/{credentialId}', { params: { credentialId: open.revoked.id } });
            toast(`Revoked ${open.revoked.name ?? open.revoked.id}.`);
          }}
        >
          <p>Programs that use this {words.what} get 401 immediately, on every server. You cannot undo this.</p>
        </Confirm>
      )}
    </>
  );
}

function CredentialTable({
  items,
  why,
  onRevoke,
}: {
  items: readonly CredentialItem[];
  why: string | undefined;
  onRevoke: (item: CredentialItem) => void;
}) {
  return (
    <table class="plain">
      <TableHead columns={['Name', 'Id', 'Kind', 'Created']} hasActions />
      <tbody>
        {items.map((item) => (
          <tr key={item.id}>
            <td data-label="Name">{item.name ?? <span class="quiet">no name</span>}</td>
            <td data-label="Id">
              <Id value={item.id} />
            </td>
            <td data-label="Kind">
              <span class="badge">{item.test ? 'test' : 'live'}</span>
            </td>
            <td data-label="Created">
              <Created at={item.createdAt} />
            </td>
            <td class="end">
              <ActionButton class="small danger" why={why} onClick={() => onRevoke(item)}>
                Revoke<span class="hidden-visually"> {item.name ?? item.id}</span>
              </ActionButton>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function CreateDialog({
  title,
  live,
  create,
  onClose,
}: {
  title: string;
  live: string;
  create: (name: string, test: boolean) => Promise<void>;
  onClose: () => void;
}) {
  const form = useForm((text, fields) => create(text('name'), fields.get('live') === null));
  return (
    <FormDialog title={title} name="credential" form={form} submit={title} onClose={onClose}>
      <label class="field">
        <span>Name (optional)</span>
        <input name="name" autocomplete="off" placeholder="CI" aria-describedby="credential-problem" />
      </label>
      <label class="check">
        <input type="checkbox" name="live" />
        <span>
          Live
          <small>
            The credential begins with {live} instead of {live}test_. Nothing else differs.
          </small>
        </span>
      </label>
    </FormDialog>
  );
}
