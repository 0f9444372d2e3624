import type { Writable } from 'node:stream';

/** The maximum number of characters that wait for a reader. */
const WAITING_MAX = 1_048_576;

export type LineStream = Pick<Writable, 'write' | 'writableLength' | 'on' | 'listeners'>;

/**
 * Writes lines to a stream whose reader may be slow or gone. The writer never throws and never waits. If too much text
 * waits for the reader, the writer drops lines until the reader has caught up. Stream errors are ignored.
 *
 * The logger does not use pino's destinations. A pino destination writes to a pipe from another thread. While that
 * thread waits for a slow reader, the process cannot end.
 *
 * @param droppedLine - Returns the line that replaces the dropped lines. `count` is the number of dropped lines.
 */
export function createLineWriter(stream: LineStream, droppedLine: (count: number) => string): (line: string) => void {
  // Add only one listener to each stream, even if the process has many logs.
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
    // The stream calls `report` when the reader has received all waiting lines.
    if (dropped === 0) stream.write('', report);
    dropped += 1;
  };
}

const ignore = () => {};
