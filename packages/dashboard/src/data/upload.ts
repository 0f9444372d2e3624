import type { ControlResponseOf } from '@svc/contract/control/types';
import { serverUrl } from '../base.ts';
import { adminSession } from './admin-session.ts';
import { controlPath } from './control-path.ts';
import { errorOf, unreachable } from './server-error.ts';

type Imported = ControlResponseOf<'importProfiles'>;
const METHOD = 'PUT';

/** Uploads a file of profiles. Uses `XMLHttpRequest`, because `fetch` does not report the progress of uploads. */
export function uploadProfiles(
  workspaceId: string,
  file: File,
  contentType: string,
  { signal, onProgress }: { signal: AbortSignal; onProgress: (sent: number) => void },
): Promise<Imported> {
  const request = new XMLHttpRequest();
  const { promise, resolve, reject } = Promise.withResolvers<Imported>();
  request.open(METHOD, serverUrl + controlPath(METHOD, '/workspaces/{workspaceId}/profiles', { workspaceId }));
  request.responseType = 'json';
  request.setRequestHeader('Content-Type', contentType);
  if (adminSession.value !== undefined) request.setRequestHeader('Authorization', `Bearer ${adminSession.value}`);
  request.upload.onprogress = ({ loaded }) => onProgress(loaded);
  request.onload = () => {
    if (request.status === 200 && request.response) return resolve(request.response as Imported);
    reject(errorOf(request.status, request.response));
  };
  request.onerror = () => reject(unreachable());
  request.onabort = () => reject(new DOMException('Cancelled', 'AbortError'));
  signal.addEventListener('abort', () => request.abort(), { once: true });
  request.send(file);
  return promise;
}
