import { useState } from 'preact/hooks';
import { serverUrl } from '../../base.ts';
import { adminSession } from '../../data/admin-session.ts';
import { control } from '../../data/control.ts';
import { useInfo } from '../../data/info.ts';
import { useQuery } from '../../data/query.ts';
import { messageOf } from '../../data/server-error.ts';
import { useOrganizations, useUsers } from '../../data/tenants.ts';
import { metricsSnippet } from '../../format/snippets.ts';
import type { ScreenProps } from '../../screen-props.ts';
import { ActionButton } from '../../ui/action-button.tsx';
import { Fact } from '../../ui/fact.tsx';
import { FormDialog, useForm } from '../../ui/form.tsx';
import { Id } from '../../ui/id.tsx';
import { Problem } from '../../ui/problem.tsx';
import { ScreenHead } from '../../ui/screen-head.tsx';
import { Snippet } from '../../ui/snippet.tsx';
import { useTitle } from '../../ui/title.ts';
import { parseJson } from '../events/place-of.ts';
import { type Created, CreateTenant } from './create.tsx';
import { Organizations, Users } from './tenants.tsx';

type Open = Created | 'reset';

export function ServerScreen(_props: ScreenProps) {
  const { data: info } = useInfo();
  const { data: ready } = useQuery('ready', async () => (await fetch(`${serverUrl}/health/ready`)).ok);
  const { data: organizations } = useOrganizations();
  const { data: users } = useUsers();
  const [open, setOpen] = useState<Open>();
  useTitle('Server');
  const close = () => setOpen(undefined);
  const facts = info && [
    ['Version', info.version],
    ['Profile', info.profile],
    ['Database', info.database],
    ['Roles', info.roles.join(', ')],
    ['Public URL', info.publicUrl],
    ['Health', ready === undefined ? '…' : ready ? 'ready' : 'not ready'],
  ];
  return (
    <div class="screen">
      <ScreenHead title="Server">
        <button type="button" onClick={() => setOpen('organization')}>
          New organization
        </button>
        <ActionButton
          why={organizations?.length ? undefined : 'Create an organization first'}
          onClick={() => setOpen('workspace')}
        >
          New workspace
        </ActionButton>
        <button type="button" onClick={() => setOpen('user')}>
          New user
        </button>
        <button type="button" class="danger" onClick={() => setOpen('reset')}>
          Reset the server
        </button>
      </ScreenHead>
      <dl class="facts">
        {facts?.map(([name, value]) => (
          <Fact key={name} name={name}>
            {value}
          </Fact>
        ))}
        {info && (
          <Fact name="Instance">
            <Id value={info.instanceId} />
          </Fact>
        )}
      </dl>
      <div class="cards">
        <Organizations organizations={organizations} />
        <Users users={users} />
      </div>
      <Metrics />
      {open === 'reset' && <ResetDialog onClose={close} />}
      {open !== undefined && open !== 'reset' && (
        <CreateTenant what={open} organizations={organizations ?? []} onClose={close} />
      )}
    </div>
  );
}

function Metrics() {
  const [text, setText] = useState<string>();
  const [problem, setProblem] = useState<string>();
  const read = async () => {
    try {
      const response = await fetch(`${serverUrl}/metrics`);
      const body = await response.text();
      if (!response.ok) throw new Error(`The server responded to /metrics with status ${response.status}.`);
      setText(body);
      setProblem(undefined);
    } catch (error) {
      setProblem(messageOf(error));
    }
  };
  return (
    <section class="card wide-card">
      <h2>Metrics</h2>
      <p class="quiet">
        The current response of <code>/metrics</code>, for Prometheus.
      </p>
      {adminSession.value === undefined ? (
        <button type="button" onClick={read}>
          {text === undefined ? 'Read the metrics' : 'Read the metrics again'}
        </button>
      ) : (
        // The metrics require the admin token, which the page never stores.
        <Snippet title="With the admin token" text={metricsSnippet(serverUrl)} />
      )}
      {problem && <Problem>{problem}</Problem>}
      {text !== undefined && <Snippet title="/metrics" text={text} />}
    </section>
  );
}

function ResetDialog({ onClose }: { onClose: () => void }) {
  const form = useForm(async (text) => {
    const seed = text('seed');
    await control('POST', '/reset', { body: seed === '' ? {} : { seed: parseJson(seed) } });
    onClose();
  });
  return (
    <FormDialog
      title="Reset the server"
      name="reset"
      form={form}
      submit="Wipe everything"
      class="danger"
      onClose={onClose}
    >
      <p>All data in every workspace is deleted, and the clock returns to real time.</p>
      <label class="field">
        <span>Seed, as JSON (empty: the seed that the server started with)</span>
        <textarea name="seed" rows={5} class="mono" spellcheck={false} aria-describedby="reset-problem" />
      </label>
    </FormDialog>
  );
}
