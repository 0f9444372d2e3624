import { realNow } from '../data/clock.ts';
import { isOutdated } from '../data/live.ts';
import { outage } from '../data/outage.ts';
import { formatClock } from '../format/instant.ts';

export function Banners() {
  const state = outage.value;
  return (
    <>
      {state && (
        <div class="banner tone-bad" role="status">
          <strong>
            {state.what === 'unreachable' ? 'Cannot reach the server.' : 'The server cannot respond at the moment.'}
          </strong>{' '}
          This page shows data as of {formatClock(state.since, 'local')} (real time), and has tried to reload it for{' '}
          {Math.max(0, Math.round((realNow.value - state.since) / 1000))} s.
        </div>
      )}
      {isOutdated.value && (
        <div class="banner tone-waiting" role="status">
          The server now runs another version.
          <button type="button" class="small" onClick={() => location.reload()}>
            Reload
          </button>
        </div>
      )}
    </>
  );
}
