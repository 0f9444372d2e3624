import type { Writable } from 'node:stream';

/** The maximum number of characters that wait for a reader. */
const WAITING_MAX = 1_048_576;

/** What a line writer needs from a stream. */
export type LineStream = Pick<Writable, 'write' | 'writableLength' | 'on' | 'listeners'>;

/**
 * Writes lines to a stream whose reader may be slow or gone. It never throws and never waits. If too much text waits
 * for the reader, it drops lines until the reader has caught up. It ignores errors of the stream.
 *
 * Node's standard streams suit this better than pino's destinations, which write to a pipe on a thread: the process
 * cannot end while the reader stalls.
 *
 * @param droppedLine - Returns the line that says how many lines were dropped. That line is written in place of the
 * dropped lines.
 */
export function createLineWriter(stream: LineStream, droppedLine: (count: number) => string): (line: string) => void {
  // Add one listener to each stream, even if a process has many logs.
  if (!stream.listeners('error').includes(ignore)) stream.on('error', ignore);
  let dropped = 0;
  const report = () => {
    stream.write(droppedLine(dropped));
    dropped = 0;
  };
  return (line) => {
    if (dropped === 0 && stream.writableLength < WAITING_MAX) {
      stream.write(line);
      return;
    }
    // The stream calls back when the reader has everything that waits.
    if (dropped === 0) stream.write('', report);
    dropped += 1;
  };
}

const ignore = () => {};
