import type { ImportedProfiles } from '@svc/contract/control/types';
import { useEffect, useRef, useState } from 'preact/hooks';
import { isAborted, messageOf } from '../../data/server-error.ts';
import { uploadProfiles } from '../../data/upload.ts';
import { inWorkspace } from '../../routes.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { FormButtons } from '../../ui/form.tsx';
import { Problem } from '../../ui/problem.tsx';
import { toast } from '../../ui/toast.tsx';
import { Problems } from './problems.tsx';

type Work =
  | { kind: 'choosing'; problem?: string }
  | { kind: 'sending'; file: File; sent: number }
  | { kind: 'done'; result: ImportedProfiles };

/** A `.json` file contains an array, and any other file contains one profile on each line. */
const contentTypeOf = ({ name }: File) => (/\.json$/i.test(name) ? 'application/json' : 'application/x-ndjson');

const megabytes = (bytes: number) => `${(bytes / 1_000_000).toFixed(1)} MB`;

export function ImportDialog({ workspaceId, onClose }: { workspaceId: string; onClose: () => void }) {
  const [work, setWork] = useState<Work>({ kind: 'choosing' });
  const abort = useRef<AbortController>(undefined);
  useEffect(() => () => abort.current?.abort(), []);
  const submit = async (event: SubmitEvent) => {
    event.preventDefault();
    const file = new FormData(event.currentTarget as HTMLFormElement).get('file');
    if (!(file instanceof File) || file.size === 0) return setWork({ kind: 'choosing', problem: 'Choose a file.' });
    abort.current = new AbortController();
    const { signal } = abort.current;
    setWork({ kind: 'sending', file, sent: 0 });
    try {
      const onProgress = (sent: number) => setWork({ kind: 'sending', file, sent });
      const result = await uploadProfiles(workspaceId, file, contentTypeOf(file), { signal, onProgress });
      setWork({ kind: 'done', result });
      toast(`Imported ${result.upserted.toLocaleString('en')} profiles.`, {
        link: { href: inWorkspace(workspaceId, 'profiles'), text: 'Open profiles' },
      });
    } catch (error) {
      setWork({
        kind: 'choosing',
        problem: isAborted(error) ? 'Cancelled. The server keeps the profiles that were sent.' : messageOf(error),
      });
    }
  };
  return (
    <Dialog title="Import profiles" onClose={onClose}>
      {work.kind === 'choosing' && (
        <form onSubmit={submit}>
          <p>
            A file with one profile as JSON on each line (NDJSON), or a <code>.json</code> file with an array. A profile
            with the same <code>externalId</code> is updated.
          </p>
          <label class="field">
            <span>File</span>
            <input
              type="file"
              name="file"
              accept=".ndjson,.jsonl,.json,application/x-ndjson,application/json"
              aria-describedby="import-problem"
            />
          </label>
          <Problem id="import-problem">{work.problem}</Problem>
          <FormButtons submit="Import" onClose={onClose} />
        </form>
      )}
      {work.kind === 'sending' && (
        <>
          <p>
            {work.sent < work.file.size
              ? `Sent ${megabytes(work.sent)} of ${megabytes(work.file.size)}.`
              : 'Sent. The server is storing the last profiles.'}
          </p>
          <progress aria-label="Import" max={work.file.size} value={work.sent} />
          <footer>
            <button type="button" onClick={() => abort.current?.abort()}>
              Stop
            </button>
          </footer>
        </>
      )}
      {work.kind === 'done' && (
        <>
          <Outcome result={work.result} />
          <footer>
            <button type="button" class="primary" onClick={onClose}>
              Close
            </button>
          </footer>
        </>
      )}
    </Dialog>
  );
}

function Outcome({ result }: { result: ImportedProfiles }) {
  const counts = (['created', 'updated', 'unchanged', 'rejected'] as const).filter((name) => result[name] > 0);
  return (
    <>
      <p>
        {counts.length === 0
          ? 'The file contains no profiles.'
          : `Done: ${counts.map((name) => `${result[name].toLocaleString('en')} ${name}`).join(', ')}.`}
      </p>
      <Problems rejected={result.rejected} problems={result.problems} />
    </>
  );
}
