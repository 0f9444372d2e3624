import { once } from 'node:events';
import { connect } from 'node:net';

/** Sends the raw text, with the port in place of `PORT`, and reads until the server closes the connection. */
export async function exchange(
  port: number,
  text: string,
): Promise<{ status: number; body: unknown; requestId: string | undefined }> {
  const socket = connect(port, '127.0.0.1');
  let answer = '';
  socket.setEncoding('utf8').on('data', (chunk) => {
    answer += chunk;
  });
  socket.write(text.replace('PORT', String(port)));
  await once(socket, 'close');
  const [head = '', body = ''] = answer.split('\r\n\r\n');
  return {
    status: Number(head.split(' ')[1]),
    body: JSON.parse(body),
    requestId: /^service-request-id: (.+)$/im.exec(head)?.[1],
  };
}
