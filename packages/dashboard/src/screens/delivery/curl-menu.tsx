import type { LoggedAttempt } from '@svc/contract/control/types';
import { control } from '../../data/control.ts';
import { curlCommand } from '../../format/curl.ts';
import { ActionButton } from '../../ui/action-button.tsx';
import { CopyButton } from '../../ui/copy.tsx';
import { Icon } from '../../ui/icons.tsx';
import { Menu } from '../../ui/menu.tsx';

/** Returns a curl command that sends the delivery with a new signature. */
async function signedCurl(deliveryId: string): Promise<string> {
  const { url, headers, body } = await control('POST', '/deliveries/{deliveryId}/signature', {
    params: { deliveryId },
  });
  return curlCommand({ method: 'POST', url, headers, body });
}

export function CurlMenu({
  deliveryId,
  attempt,
  why,
}: {
  deliveryId: string;
  attempt: LoggedAttempt | undefined;
  /** Why the delivery cannot be signed. `undefined` if it can be signed. */
  why: string | undefined;
}) {
  const signedNow = 'Signed now: receivers accept the request for 5 minutes';
  return (
    <Menu
      class=""
      button={
        <>
          <Icon name="terminal" size={14} />
          Copy as curl
          <Icon name="chevron" size={12} />
        </>
      }
    >
      <div class="panel-group">
        {why === undefined ? (
          <CopyButton class="choice" text={() => signedCurl(deliveryId)} label="Copy, signed now">
            {signedNow}
          </CopyButton>
        ) : (
          <ActionButton class="choice" icon="copy" why={why}>
            {signedNow}
          </ActionButton>
        )}
        {attempt && (
          <CopyButton
            class="choice"
            label="Copy as sent"
            text={() =>
              curlCommand({
                method: 'POST',
                url: attempt.request.url,
                headers: attempt.request.headers,
                body: attempt.request.bodyText,
              })
            }
          >
            As sent: with the original signature, which may be too old
          </CopyButton>
        )}
      </div>
    </Menu>
  );
}
