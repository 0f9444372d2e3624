import { realNow } from '../data/clock.ts';
import { connection, isOutdated } from '../data/live.ts';
import { formatClock } from '../format/instant.ts';

/** What is wrong with the server, on every screen. */
export function Banners() {
  const state = connection.value;
  return (
    <>
      {state.state === 'lost' && (
        <div class="banner tone-bad" role="status">
          <strong>Cannot reach the server.</strong> Shown as of {formatClock(state.since, 'local')} (real time). Trying
          again; {Math.max(0, Math.round((realNow.value - state.since) / 1000))} s so far.
        </div>
      )}
      {isOutdated.value && (
        <div class="banner tone-waiting" role="status">
          The server runs another version now.
          <button type="button" class="small" onClick={() => location.reload()}>
            Reload
          </button>
        </div>
      )}
    </>
  );
}
