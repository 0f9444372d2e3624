import { TIMESTAMP_TOLERANCE_SECONDS } from '@svc/contract';
import type { LoggedAttempt } from '@svc/contract/control/types';
import { useEffect, useState } from 'preact/hooks';
import { realNow, virtualNow } from '../../data/clock.ts';
import { control } from '../../data/control.ts';
import { shownZone } from '../../data/zone.ts';
import { formatDuration } from '../../format/duration.ts';
import { formatClock, formatInstant } from '../../format/instant.ts';
import { shortenUrl } from '../../format/text.ts';
import { Dialog } from '../../ui/dialog.tsx';
import type { KnownSecret, SignatureResult } from './check-signature.ts';

/** Checks an attempt's signature with a secret that the user pastes. The secret stays in this dialog. */
export function SignatureDialog({
  attempt,
  endpointId,
  endpoints,
  onClose,
}: {
  attempt: LoggedAttempt;
  endpointId: string;
  endpoints: readonly { id: string; url: string }[];
  onClose: () => void;
}) {
  const [known, setKnown] = useState<readonly KnownSecret[]>([]);
  const [check, setCheck] = useState<typeof import('./check-signature.ts').checkSignature>();
  const [result, setResult] = useState<SignatureResult>();
  useEffect(() => {
    void import('./check-signature.ts').then(({ checkSignature }) => setCheck(() => checkSignature));
    void previewsOf([endpointId, ...endpoints.map(({ id }) => id)]).then(setKnown);
  }, []);
  const verify = (event: SubmitEvent) => {
    event.preventDefault();
    const form = event.currentTarget as HTMLFormElement;
    const secret = (form.elements.namedItem('secret') as HTMLTextAreaElement).value;
    const { headers, bodyText } = attempt.request;
    setResult(check?.({ secret, endpointId, headers, body: bodyText ?? '', known, now: virtualNow() }));
  };
  const acceptedUntil = (Number(attempt.request.headers['webhook-timestamp']) + TIMESTAMP_TOLERANCE_SECONDS) * 1_000;
  const leftMs = acceptedUntil - realNow.value;
  return (
    <Dialog title={`Check the signature of attempt ${attempt.number}`} onClose={onClose}>
      <form onSubmit={verify}>
        <label class="field">
          <span>Your receiver's signing secret</span>
          <textarea
            name="secret"
            rows={2}
            required
            spellcheck={false}
            autocomplete="off"
            placeholder="whsec_…"
            class="mono"
            aria-describedby="secret-note"
            onKeyDown={(event) => {
              // As in a field of one line. Shift+Enter breaks the line.
              if (event.key !== 'Enter' || event.shiftKey || event.isComposing) return;
              event.preventDefault();
              event.currentTarget.form?.requestSubmit();
            }}
          />
        </label>
        <p class="quiet" id="secret-note">
          The secret never leaves this page. It is forgotten when you close this dialog.
        </p>
        {result && <Verdict result={result} endpoints={endpoints} />}
        <p>
          Receivers accept this signature until {formatClock(acceptedUntil, 'local')} (real time):{' '}
          {leftMs > 0 ? `for another ${formatDuration(leftMs)}.` : `it is ${formatDuration(leftMs)} too old by now.`}
        </p>
        <footer>
          <button type="submit" class="primary" disabled={!check}>
            Check
          </button>
          <button type="button" onClick={onClose}>
            Close
          </button>
        </footer>
      </form>
    </Dialog>
  );
}

async function previewsOf(endpointIds: readonly string[]): Promise<KnownSecret[]> {
  const found = await Promise.all(
    [...new Set(endpointIds)].map((id) =>
      control('GET', '/endpoints/{endpointId}', { params: { endpointId: id } }).catch(() => undefined),
    ),
  );
  return found.flatMap(
    (one) => one?.endpoint.secrets.map((secret) => ({ ...secret, endpointId: one.endpoint.id })) ?? [],
  );
}

function Verdict({
  result,
  endpoints,
}: {
  result: SignatureResult;
  endpoints: readonly { id: string; url: string }[];
}) {
  const zone = shownZone.value;
  const at = (text: string) => formatInstant(Date.parse(text), zone);
  const urlOf = (id: string) => shortenUrl(endpoints.find((endpoint) => endpoint.id === id)?.url ?? id);
  const [tone, text] = ((): ['good' | 'bad' | 'waiting', string] => {
    switch (result.kind) {
      case 'right':
        if (result.isCurrent || result.expiresAt === null)
          return ['good', 'The secret is right: it signed this attempt.'];
        return [
          'waiting',
          `The secret signed this attempt, but it was rotated. It signs until ${at(result.expiresAt)}.`,
        ];
      case 'expired':
        return ['bad', `The secret is this endpoint's, but it expired at ${at(result.at)}. Use the current one.`];
      case 'newer':
        return [
          'waiting',
          `The secret is this endpoint's, but it is newer than this attempt: it was created at ${at(result.at)}.`,
        ];
      case 'foreign':
        return ['bad', `The secret belongs to another endpoint: ${urlOf(result.endpointId)}.`];
      case 'unknown':
        return ['bad', 'The secret is not one of this workspace. It may come from another environment.'];
      case 'malformed':
        return ['bad', `This is not a signing secret. ${result.why}`];
    }
  })();
  return (
    <p class={`verdict tone-${tone}`} role="status">
      {text}
    </p>
  );
}
