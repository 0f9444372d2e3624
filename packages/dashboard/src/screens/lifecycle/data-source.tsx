import type { ControlDataSource, ProfileSync } from '@svc/contract/control/types';
import { useState } from 'preact/hooks';
import { control } from '../../data/control.ts';
import { useDataSource } from '../../data/lifecycle.ts';
import { inWorkspace } from '../../routes.ts';
import { ActionButton } from '../../ui/action-button.tsx';
import { FormDialog, useForm } from '../../ui/form.tsx';
import { Time } from '../../ui/time.tsx';
import { orToast, toast } from '../../ui/toast.tsx';
import { Problems } from './problems.tsx';

export function DataSource({ workspaceId, onImport }: { workspaceId: string; onImport: () => void }) {
  const { data: source, reload } = useDataSource(workspaceId);
  const [isEditing, setEditing] = useState(false);
  const [isSyncing, setSyncing] = useState(false);
  const sync = async () => {
    setSyncing(true);
    await orToast(async () => {
      const options = { params: { workspaceId } };
      const { sync: done } = await control('POST', '/workspaces/{workspaceId}/data-source/sync', options);
      const link = { href: inWorkspace(workspaceId, 'profiles'), text: 'Show the profiles' };
      if (done.error === null) toast(`Read ${done.upserted.toLocaleString('en')} profiles.`, { link });
      else toast(done.error, { tone: 'bad' });
      await reload();
    });
    setSyncing(false);
  };
  const isPushed = source?.kind !== 'ndjson';
  const whyNoSync = isSyncing
    ? 'A sync is running'
    : source && isPushed
      ? 'Profiles are pushed to this workspace, so there is no data source to read'
      : undefined;
  return (
    <section class="card wide-card">
      <div class="with-tools">
        <h2>Data source</h2>
        <div class="actions">
          <ActionButton
            class="small"
            why={source ? undefined : 'The page is still loading the data source'}
            onClick={() => setEditing(true)}
          >
            Change
          </ActionButton>
          <ActionButton class="small" why={whyNoSync} onClick={sync}>
            {isSyncing ? 'Reading…' : 'Sync now'}
          </ActionButton>
        </div>
      </div>
      {source &&
        (isPushed ? (
          <p>
            Profiles are pushed to this workspace.{' '}
            <button type="button" class="as-link accent" onClick={onImport}>
              Import a file
            </button>
          </p>
        ) : (
          <>
            <p class="mono breaking">{source.location}</p>
            <p class="quiet">
              {source.schedule ? `Read every ${source.schedule}` : 'Read on request'}
              {source.nextSyncAt && (
                <>
                  , next <Time value={source.nextSyncAt} focusable />
                </>
              )}
              .
            </p>
          </>
        ))}
      {source?.lastSync && <LastSync sync={source.lastSync} />}
      {isEditing && source && (
        <SourceForm
          workspaceId={workspaceId}
          source={source}
          onClose={() => {
            setEditing(false);
            void reload();
          }}
        />
      )}
    </section>
  );
}

function LastSync({ sync }: { sync: ProfileSync }) {
  return (
    <>
      <p>
        Last sync <Time value={sync.finishedAt} focusable />:{' '}
        {sync.error === null ? (
          `${sync.upserted.toLocaleString('en')} profiles.`
        ) : (
          <b class="tone-bad">
            <bdi>{sync.error}</bdi>
          </b>
        )}
      </p>
      <Problems rejected={sync.rejected} problems={sync.problems} />
    </>
  );
}

function SourceForm({
  workspaceId,
  source,
  onClose,
}: {
  workspaceId: string;
  source: ControlDataSource;
  onClose: () => void;
}) {
  const [kind, setKind] = useState(source.kind);
  const form = useForm(async (text) => {
    const body = kind === 'push' ? { kind } : { kind, location: text('location'), schedule: text('schedule') || null };
    await control('PUT', '/workspaces/{workspaceId}/data-source', { params: { workspaceId }, body });
    toast('Saved.');
    onClose();
  });
  return (
    <FormDialog title="Data source" name="source" form={form} submit="Save" onClose={onClose}>
      <label class="field">
        <span>Profiles are</span>
        <select value={kind} onChange={(event) => setKind(event.currentTarget.value as typeof kind)}>
          <option value="push">pushed: imported from files and over the control API</option>
          <option value="ndjson">read from NDJSON</option>
        </select>
      </label>
      {kind === 'ndjson' && (
        <>
          <label class="field">
            <span>Location: an https URL, or a file that the server may read</span>
            <input
              type="text"
              name="location"
              class="mono"
              defaultValue={source.location ?? ''}
              placeholder="https://data.example.com/profiles.ndjson"
              autocomplete="off"
              spellcheck={false}
              aria-describedby="source-problem"
            />
          </label>
          <label class="field">
            <span>Schedule, such as 6h (leave empty to read only on request)</span>
            <input
              type="text"
              name="schedule"
              defaultValue={source.schedule ?? ''}
              autocomplete="off"
              aria-describedby="source-problem"
            />
          </label>
        </>
      )}
    </FormDialog>
  );
}
