import type { StopSignal } from './stop-signal.ts';

/** The message after a stop signal: what the server waits for, and how to stop it immediately. */
export function stoppingText(signal: StopSignal, deliveriesInFlight: number): string {
  const deliveries = deliveriesInFlight === 1 ? '1 delivery' : `${deliveriesInFlight} deliveries`;
  const waitsFor = deliveriesInFlight === 0 ? '.' : `: finishing ${deliveries} in flight (at most 10 s).`;
  const again = signal === 'SIGINT' ? 'Press Ctrl+C again' : `Send ${signal} again`;
  return `Stopping${waitsFor} ${again} to stop immediately.`;
}
