import type { Writable } from 'node:stream';

const WAITING_MAX = 1_048_576;

export type LineStream = Pick<Writable, 'write' | 'writableLength' | 'on' | 'listeners'>;

/**
 * Writes lines to a stream whose reader may be slow or gone. Never throws and never waits. Drops lines while too much
 * text is waiting for the reader. Calls `dropped` with the number of dropped lines once the stream has space again.
 * pino's own destinations are unsuitable: while their thread waits for a slow reader, the process cannot end.
 */
export function createLineWriter(stream: LineStream, dropped: (count: number) => void): (line: string) => void {
  // Several logs may share the stream, but the stream needs only one listener.
  if (!stream.listeners('error').includes(ignore)) stream.on('error', ignore);
  let count = 0;
  const report = () => {
    const ended = count;
    count = 0;
    dropped(ended);
  };
  return (line) => {
    if (count === 0 && stream.writableLength < WAITING_MAX) {
      stream.write(line);
      return;
    }
    // The stream calls `report` when the reader has received all waiting lines.
    if (count === 0) stream.write('', report);
    count += 1;
  };
}

const ignore = () => {};
