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
import type { KnownSecret, SignatureResult, SignatureSteps } from './check-signature.ts';

/** Checks whether a secret signed an attempt. The pasted secret does not leave this dialog. */
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
  const [known, setKnown] = useState<readonly KnownSecret[]>();
  const [code, setCode] = useState<typeof import('./check-signature.ts')>();
  const [result, setResult] = useState<SignatureResult>();
  const [steps, setSteps] = useState<SignatureSteps>();
  useEffect(() => {
    void import('./check-signature.ts').then((loaded) => setCode(loaded));
    void previewsOf([endpointId, ...endpoints.map(({ id }) => id)]).then(setKnown);
  }, []);
  const verify = (event: SubmitEvent) => {
    event.preventDefault();
    const form = event.currentTarget as HTMLFormElement;
    const secret = (form.elements.namedItem('secret') as HTMLTextAreaElement).value;
    const { headers, bodyText } = attempt.request;
    const signed = { secret, headers, body: bodyText };
    if (!code || !known) return;
    setResult(code.checkSignature({ ...signed, endpointId, known, now: virtualNow() }));
    setSteps(code.stepsOf(signed));
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
              // Enter submits the form, as in a one-line field. Shift+Enter inserts a line break.
              if (event.key !== 'Enter' || event.shiftKey || event.isComposing) return;
              event.preventDefault();
              event.currentTarget.form?.requestSubmit();
            }}
          />
        </label>
        <p class="quiet" id="secret-note">
          The secret never leaves this page. The page forgets the secret when you close this dialog.
        </p>
        {result && <Verdict result={result} endpoints={endpoints} />}
        {attempt.request.bodyText === null && (
          <p>Retention removed the body of this attempt, so nobody can compute the signature again.</p>
        )}
        {steps && <Steps steps={steps} sent={attempt.request.headers['webhook-signature'] ?? ''} />}
        <p>
          Receivers accept{leftMs > 0 ? '' : 'ed'} this signature until {formatClock(acceptedUntil, 'local')} (real
          time), {leftMs > 0 ? `for another ${formatDuration(leftMs)}.` : `${formatDuration(leftMs)} ago.`}
        </p>
        <footer>
          <button type="submit" class="primary" disabled={!code || !known}>
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

/** Shows the signing steps to the author of a receiver that does not use `@svc/webhooks`. */
function Steps({ steps: { key, signed, signature, isSent }, sent }: { steps: SignatureSteps; sent: string }) {
  const lengthOf = (text: string) => new TextEncoder().encode(text).length.toLocaleString('en');
  return (
    <details class="steps">
      <summary>What your receiver must compute</summary>
      <ol>
        <li>
          Decode the text after <code>whsec_</code> from base64url. The key has {key.length / 2} bytes, in hex:
          <pre>{key}</pre>
        </li>
        <li>
          Join <code>webhook-id</code>, <code>webhook-timestamp</code> and the raw body with periods. The result has{' '}
          {lengthOf(signed)} bytes of UTF-8:
          <pre>{signed}</pre>
        </li>
        <li>
          Compute the HMAC-SHA256 of these bytes with the key, encode the HMAC in base64 (with <code>+</code> and{' '}
          <code>/</code>), and put <code>v1,</code> before the result:
          <pre>{signature}</pre>
        </li>
        <li>
          Look for this value in <code>webhook-signature</code>, whose entries are separated by spaces.{' '}
          {isSent
            ? 'The header contains this value.'
            : 'The header does not contain this value, so this attempt was not signed with this secret. The header is:'}
          {!isSent && <pre>{sent}</pre>}
        </li>
      </ol>
    </details>
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
          `The secret signed this attempt, but the secret has been rotated. The secret signs until ${at(result.expiresAt)}.`,
        ];
      case 'outdated':
        return ['bad', `The secret signed this attempt, but expired at ${at(result.at)}. Use the current secret.`];
      case 'expired':
        return ['bad', `The secret belongs to this endpoint, but expired at ${at(result.at)}. Use the current secret.`];
      case 'newer':
        return [
          'waiting',
          `The secret belongs to this endpoint, but is newer than this attempt: the secret was created at ${at(result.at)}.`,
        ];
      case 'unverified':
        return [
          'waiting',
          'The preview shows that the secret belongs to this endpoint. Without the body, the signature cannot be verified.',
        ];
      case 'foreign':
        return ['bad', `The secret belongs to another endpoint: ${urlOf(result.endpointId)}.`];
      case 'unknown':
        return ['bad', 'The secret does not belong to this workspace. The secret may come from another environment.'];
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
