import { PREVIOUS_SECRET_VALID_MS } from '@svc/contract';
import type { EndpointSecret } from '@svc/contract/control/types';
import { now } from '../../data/clock.ts';
import { formatDuration } from '../../format/duration.ts';
import { Time } from '../../ui/time.tsx';

export function Secrets({ secrets }: { secrets: readonly EndpointSecret[] }) {
  return (
    <ul class="secrets">
      {secrets.map((secret) => (
        <Secret key={secret.id} secret={secret} />
      ))}
    </ul>
  );
}

function Secret({ secret: { preview, createdAt, expiresAt, pinned } }: { secret: EndpointSecret }) {
  const leftMs = expiresAt === null ? undefined : Date.parse(expiresAt) - now.value;
  return (
    <li>
      <code>{preview}</code>
      {leftMs === undefined ? (
        <span class="badge tone-good">current</span>
      ) : leftMs > 0 ? (
        <>
          <span class="badge tone-waiting">still signs for {formatDuration(leftMs)}</span>
          <progress aria-label="Time left" max={PREVIOUS_SECRET_VALID_MS} value={leftMs} />
        </>
      ) : (
        <span class="badge">expired</span>
      )}
      {pinned && <span class="badge">from the seed</span>}
      <span class="quiet">
        created <Time value={createdAt} focusable />
      </span>
    </li>
  );
}
